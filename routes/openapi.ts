import { z } from "zod";
import { type ErrorCode, errorMessages } from "../domain/errors.ts";
import type { Scope } from "../domain/operation.ts";
import { errorDocs } from "./error_docs.ts";
import { statusOf } from "./failures.ts";
import { type JsonSchema, jsonSchemaOf } from "./json_schema.ts";
import type { PlainRoute } from "./plain_route.ts";
import type { RestRoute } from "./rest.ts";
import { routeExamples } from "./route_examples.ts";
import { webhookDocs } from "./webhook_docs.ts";

/** Everything the service serves, as the document needs it. */
export interface Served {
  /** Rows for anybody, rows for an account, rows for the operator. */
  open: RestRoute[];
  account: RestRoute[];
  operator: RestRoute[];
  plain: PlainRoute[];
}

type Access = PlainRoute["access"];
/** A piece of the document: plain JSON. */
type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of every served route, from the operations themselves. */
export function openApiDocument(
  served: Served,
  { baseUrl, version }: { baseUrl: string; version: string },
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, method: string, operation: Json) =>
    (paths[openPath(path)] ??= {})[method.toLowerCase()] = operation;
  for (
    const [access, routes] of [["everybody", served.open], ["account", served.account], [
      "operator",
      served.operator,
    ]] as const
  ) {
    for (const route of routes) add(route.path, route.method, restOperation(route, access));
  }
  for (const route of served.plain) add(route.path, route.method, plainOperation(route));
  const used = new Set(
    Array.from(
      JSON.stringify(paths).matchAll(/"#\/components\/schemas\/(\w+)"/g),
      ([, name]) => name,
    ),
  );
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
    webhooks: webhookDocs(),
    components: {
      securitySchemes,
      schemas: errorSchemas(used),
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
  { name: "Webhooks", prefix: /^\/v1\/api\/webhooks/, description: "Events, delivered by POST" },
  { name: "API keys", prefix: /^\/(v1\/)?api\/keys/, description: "Credentials for agents" },
  { name: "MCP", prefix: /^\/v1\/mcp/, description: "The same operations as tools for a model" },
  { name: "Auth", prefix: /^\/api\/auth/, description: "Accounts and sessions" },
  { name: "Domains", prefix: /^\/api\/domains/, description: "Custom mail domains" },
  { name: "Billing", prefix: /^\/api\/(billing|webhooks)/, description: "Plans and payments" },
  { name: "Inbound", prefix: /^\/inbound/, description: "Where mail comes in" },
  { name: "Operator", prefix: /^\/operator/, description: "For who runs the service" },
  { name: "Reference", prefix: /^\//, description: "What you are reading" },
];

const tagOf = (path: string) => tags.find((each) => each.prefix.test(path))!.name;
const openPath = (path: string) => path.replace(/:(\w+)/g, "{$1}");

function restOperation(route: RestRoute, access: Access): Json {
  const { operation } = route;
  const input = jsonSchemaOf(operation.input, "input");
  const fields = input.properties ?? {};
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const fieldOf = (name: string) => route.params?.[name] ?? name;
  const fromPath = new Set(names.map(fieldOf));
  const rest = Object.entries(fields).filter(([name]) => !fromPath.has(name));
  const examples = routeExamples[operation.name];
  const given = examples?.input ?? {};
  const parameters: Json[] = names.map((name) =>
    parameter("path", name, fields[fieldOf(name)] ?? {}, true, given[fieldOf(name)])
  );
  for (const [header, field] of Object.entries(route.headers ?? {})) {
    parameters.push(parameter("header", header, fields[field] ?? {}, false));
  }
  if (route.input === "query") {
    for (const [name, schema] of rest) {
      const required = input.required?.includes(name) ?? false;
      parameters.push(parameter("query", name, schema, required, given[name]));
    }
  }
  const body = route.input === "json" && {
    required: true,
    content: {
      "application/json": {
        schema: {
          ...input,
          properties: Object.fromEntries(rest),
          ...(input.required
            ? { required: input.required.filter((name) => !fromPath.has(name)) }
            : {}),
        },
        ...(examples
          ? {
            example: Object.fromEntries(
              Object.entries(given).filter(([name]) => !fromPath.has(name)),
            ),
          }
          : {}),
      },
    },
  };
  const status = route.status ?? 200;
  return {
    operationId: operationId(operation.name, route.path),
    tags: [tagOf(route.path)],
    summary: operation.title,
    description: described(operation.description, operation.scope),
    security: security(access, route.path),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [status]: {
        description: status === 201 ? "Created" : "Done",
        headers: headersOf(route.path, access),
        content: {
          "application/json": {
            schema: jsonSchemaOf(route.envelope.schema(operation.output), "output"),
            ...(examples?.output
              ? {
                example: route.envelope.body(
                  examples.output,
                  () => ({ limit: 20, ...examples.input }),
                ),
              }
              : {}),
          },
        },
      },
      ...failures(route.path, [
        ...operation.errors,
        ...expected({ ...route, access }, operation.scope),
        ...(route.input !== "none" ? ["VALIDATION_ERROR" as const] : []),
        ...(route.input === "json" ? ["BAD_REQUEST", "PAYLOAD_TOO_LARGE"] as const : []),
      ], { access }),
    },
  };
}

function plainOperation(route: PlainRoute): Json {
  const { success } = route;
  const schema = success.schema
    ? jsonSchemaOf(success.schema, "output")
    : { type: "string", contentMediaType: success.contentType };
  return {
    operationId: camel(route.name),
    tags: [tagOf(route.path)],
    summary: route.title,
    description: described(route.description, route.scope ?? null),
    security: security(route.access, route.path),
    ...(route.parameters
      ? {
        parameters: route.parameters.map((each) =>
          parameter(
            each.in,
            each.name,
            { type: "string", description: each.description },
            each.in === "path" || (each.required ?? false),
            each.example,
          )
        ),
      }
      : {}),
    ...(route.body
      ? {
        requestBody: {
          required: true,
          description: route.body.description,
          content: {
            [route.body.contentType]: {
              schema: route.body.schema
                ? jsonSchemaOf(route.body.schema, "input")
                : { type: "string", contentMediaType: route.body.contentType },
              ...(route.body.example === undefined ? {} : { example: route.body.example }),
            },
          },
        },
      }
      : {}),
    responses: {
      [success.status]: {
        description: success.description,
        headers: {
          ...headersOf(route.path, route.access),
          ...Object.fromEntries(
            Object.entries(success.headers ?? {}).map(([name, description]) => [name, {
              description,
              required: true,
              schema: { type: "string" },
            }]),
          ),
        },
        content: {
          [success.contentType]: {
            schema,
            ...(success.example === undefined ? {} : { example: success.example }),
          },
        },
      },
      ...failures(
        route.path,
        [
          ...route.errors,
          ...expected(route, route.scope ?? null),
        ],
        route,
      ),
    },
  };
}

/** `list_api_keys` on the dashboard family is another operation of the document than on v1. */
function operationId(name: string, path: string): string {
  return camel(path.startsWith("/api/") ? `dashboard_${name}` : name);
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function described(text: string, scope: Scope | null): string {
  return scope ? `${text}\n\nA limited key needs the scope \`${scope}\`.` : text;
}

function parameter(
  place: string,
  name: string,
  { description, ...schema }: JsonSchema,
  required: boolean,
  example?: unknown,
): Json {
  return {
    name,
    in: place,
    required,
    ...(description ? { description } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

const securitySchemes = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key, `lbx_...`; /v1/* only" },
  accessToken: { type: "http", scheme: "bearer", description: "The accessToken of a login" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "lbx_session",
    description: "The cookie of a login; /api/* only, changes from the service's own origin only",
  },
  inboundToken: { type: "http", scheme: "bearer", description: "One of INBOUND_TOKENS" },
  operatorToken: { type: "http", scheme: "bearer", description: "OPERATOR_TOKEN" },
};

function security(access: Access, path: string): Json[] {
  if (access === "inbound") return [{ inboundToken: [] }];
  if (access === "operator") return [{ operatorToken: [] }];
  if (access !== "account") return [];
  return path.startsWith("/v1/")
    ? [{ apiKey: [] }, { accessToken: [] }]
    : [{ accessToken: [] }, { session: [] }];
}

const inApi = (path: string) => /^\/(v1|api)\//.test(path);

/** What every route of an access may answer besides its own errors. */
function expected(
  { access, path, method }: Pick<PlainRoute, "access" | "path" | "method">,
  scope: Scope | null,
): ErrorCode[] {
  const always: ErrorCode[] = ["INTERNAL_ERROR", "SERVICE_UNAVAILABLE"];
  if (path === "/v1/api/health") return ["INTERNAL_ERROR"];
  if (!inApi(path) && access === "everybody") return ["INTERNAL_ERROR"];
  if (inApi(path) && access !== "provider") always.push("RATE_LIMIT_EXCEEDED");
  if (access === "operator") always.push("UNAUTHORIZED", "NOT_FOUND");
  if (access === "inbound") always.push("UNAUTHORIZED");
  if (access === "account") {
    always.push("UNAUTHORIZED");
    // A session has every scope; its cookie must not come from elsewhere with a change.
    const mayRefuse = path.startsWith("/v1/") ? scope !== null : method !== "GET";
    if (mayRefuse) always.push("FORBIDDEN");
  }
  return always;
}

const rateHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const headerComponents = Object.fromEntries(
  [
    ["X-RateLimit-Limit", "Requests that the window with the least left holds", "integer"],
    ["X-RateLimit-Remaining", "Requests left in it", "integer"],
    ["X-RateLimit-Reset", "When it ends, in seconds since 1970", "integer"],
    ["Retry-After", "Seconds to wait", "integer"],
    ["WWW-Authenticate", "Always a Bearer challenge", "string"],
  ].map(([name, description, type]) => [name, { description, required: true, schema: { type } }]),
);

function headersOf(path: string, access: Access, codes: ErrorCode[] = []): Json {
  const names = inApi(path) && access !== "provider" ? [...rateHeaders] : [];
  if (codes.includes("UNAUTHORIZED")) names.push("WWW-Authenticate");
  if (codes.includes("RATE_LIMIT_EXCEEDED")) names.push("Retry-After");
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function failures(
  path: string,
  codes: ErrorCode[],
  route: Pick<PlainRoute, "access" | "bareErrors" | "statuses">,
): Json {
  const bare = route.bareErrors ?? [];
  const byStatus = Map.groupBy(
    [...new Set(codes)],
    (code) => route.statuses?.[code] ?? statusOf[code],
  );
  const entries = [...byStatus].sort(([a], [b]) => a - b).map(([status, group]) => {
    const schemas = group.map((code) =>
      bare.includes(code) ? bareSchema(code) : { $ref: ref(code) }
    );
    return [status, {
      description: group.map((code) => `\`${code}\`: ${errorDocs[code].when}`).join("\n\n"),
      headers: headersOf(path, route.access, group),
      content: {
        "application/json": {
          schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
          examples: Object.fromEntries(
            group.map((code) => [code, { value: exampleOf(code, !bare.includes(code)) }]),
          ),
        },
      },
    }];
  });
  return Object.fromEntries(entries);
}

const ref = (code: ErrorCode) => `#/components/schemas/${code}`;

function exampleOf(code: ErrorCode, withSuccess: boolean): Json {
  const { example } = errorDocs[code];
  const error = { code, message: errorMessages[code], ...(example ? { details: example } : {}) };
  return withSuccess ? { success: false, error } : { error };
}

function errorShape(code: z.ZodType, details: z.ZodType) {
  return z.object({ code, message: z.string(), details: details.optional() });
}

function errorOf(code: ErrorCode): z.ZodObject {
  const details = errorDocs[code].details ?? z.record(z.string(), z.unknown());
  return z.object({ error: errorShape(z.literal(code), details) });
}

/** In the form of input: objects stay open, since details may grow. */
function errorSchemas(used: Set<string>): Record<string, JsonSchema> {
  const codes = (Object.keys(errorMessages) as ErrorCode[]).filter((code) => used.has(code));
  return Object.fromEntries(
    codes.map((code) => [
      code,
      jsonSchemaOf(z.object({ success: z.literal(false) }).extend(errorOf(code).shape), "input"),
    ]),
  );
}

function bareSchema(code: ErrorCode): JsonSchema {
  return jsonSchemaOf(errorOf(code), "output");
}
