import { sessionCookieName } from "../http/access.ts";
import { Components } from "./components.ts";
import { tags } from "../http/families.ts";
import { headerComponents } from "./failure_docs.ts";
import type { Json } from "../http/json_schema.ts";
import { plainOperation, restOperation, securitySchemes } from "./operation_docs.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import type { RestRoute } from "../http/rest.ts";
import type { SessionCopy } from "../dashboard/session_copies.ts";
import { webhookDocs } from "./webhook_docs.ts";

/** Every route of the service, by access. */
export interface Served {
  /** Routes without a credential, for an account, for the operator; those in `plain` have their own documentation. */
  open: RestRoute[];
  account: RestRoute[];
  operator: RestRoute[];
  plain: PlainRoute[];
  /** Copies of v1 routes for sessions, documented together with the v1 routes. */
  copies: SessionCopy<RestRoute | PlainRoute>[];
}

/** The OpenAPI 3.1 document of every route, made from the operations. */
export function openApiDocument(
  served: Served,
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  const copyOf = ({ method, path }: RestRoute | PlainRoute) =>
    served.copies.find((each) => each.method === method && each.copyOf === path)?.path;
  const add = (path: string, method: string, operation: Json) =>
    (paths[openPath(path)] ??= {})[method.toLowerCase()] = operation;
  for (
    const [access, routes] of [["everybody", served.open], ["account", served.account], [
      "operator",
      served.operator,
    ]] as const
  ) {
    for (const route of routes) {
      add(route.path, route.method, restOperation(components, route, access, copyOf(route)));
    }
  }
  for (const route of served.plain) {
    add(route.path, route.method, plainOperation(components, route, copyOf(route)));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Letterbox",
      version,
      summary: "Mailboxes for software agents",
      description:
        "Every failure is `{success: false, error: {code, message, details?}}`; act on the HTTP status together with error.code, and retry only " +
        "429, 500 and 503. A known path with a wrong method answers 405 `METHOD_NOT_ALLOWED` and `Allow`. Timestamps are " +
        "ISO 8601 in UTC with milliseconds. Agents use the MCP server at /v1/mcp; the routes here are the same operations.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookDocs(components),
    components: {
      securitySchemes: securitySchemes(sessionCookieName({ BASE_URL: baseUrl })),
      schemas: components.schemas,
      headers: headerComponents,
    },
  };
}

const openPath = (path: string) => path.replace(/:(\w+)/g, "{$1}");
