import { sessionCookieName } from "../http/access.ts";
import { Components } from "./components.ts";
import { headerComponents } from "./failure_docs.ts";
import type { Json } from "../http/json_schema.ts";
import { plainOperation, restOperation, securitySchemes } from "./operation_docs.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import type { RestRoute } from "../http/rest.ts";
import { webhookDocs } from "./webhook_docs.ts";

/** Everything the service serves, as the document needs it. */
export interface Served {
  /** Rows for anybody, rows for an account, rows for the operator. */
  open: RestRoute[];
  account: RestRoute[];
  operator: RestRoute[];
  plain: PlainRoute[];
}

/** The OpenAPI 3.1 document of every served route, from the operations themselves. */
export function openApiDocument(
  served: Served,
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, method: string, operation: Json) =>
    (paths[openPath(path)] ??= {})[method.toLowerCase()] = operation;
  for (
    const [access, routes] of [["everybody", served.open], ["account", served.account], [
      "operator",
      served.operator,
    ]] as const
  ) {
    for (const route of routes) {
      add(route.path, route.method, restOperation(components, route, access, tagOf(route.path)));
    }
  }
  for (const route of served.plain) {
    add(route.path, route.method, plainOperation(components, route, tagOf(route.path)));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Letterbox",
      version,
      summary: "Mailboxes for software agents",
      description:
        "Every failure is `{success: false, error: {code, message, details?}}`; act on the HTTP status together with error.code, and repeat only " +
        "429, 500 and 503. A path that exists answers another method with 405 `METHOD_NOT_ALLOWED` and `Allow`. Timestamps are " +
        "ISO 8601 in UTC with milliseconds. Agents use the MCP server at /v1/mcp; the routes here are the same operations.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: webhookDocs(components),
    components: {
      securitySchemes: securitySchemes(sessionCookieName({ BASE_URL: baseUrl })),
      schemas: components.schemas,
      headers: headerComponents,
    },
  };
}

const tags = [
  { name: "Service", prefix: /^\/v1\/api\/health/, description: "Whether the service works" },
  { name: "Search", prefix: /^\/v1\/api\/search/, description: "Mail found by what it says" },
  {
    name: "Emails",
    prefix: /^\/v1\/api\/(emails|threads|arrivals)/,
    description: "Mail that came in and went out",
  },
  {
    name: "Mailboxes",
    prefix: /^\/(v1\/)?api\/mailboxes/,
    description: "Addresses that receive mail",
  },
  { name: "Webhooks", prefix: /^\/v1\/api\/webhooks/, description: "Who receives events" },
  { name: "Events", description: "What is posted to webhooks" },
  { name: "API keys", prefix: /^\/(v1\/)?api\/keys/, description: "Credentials for agents" },
  { name: "MCP", prefix: /^\/v1\/mcp/, description: "The same operations as tools for a model" },
  { name: "Auth", prefix: /^\/api\/auth/, description: "Accounts and sessions" },
  { name: "Domains", prefix: /^\/api\/domains/, description: "Custom mail domains" },
  { name: "Billing", prefix: /^\/api\/(billing|webhooks)/, description: "Plans and payments" },
  { name: "Inbound", prefix: /^\/inbound/, description: "Where mail comes in" },
  { name: "Operator", prefix: /^\/operator/, description: "For the operator of the service" },
  { name: "Reference", prefix: /^\//, description: "What you are reading" },
];

const tagOf = (path: string) => tags.find((each) => each.prefix?.test(path))!.name;
const openPath = (path: string) => path.replace(/:(\w+)/g, "{$1}");
