import { type Components, pascal } from "./components.ts";
import { expected, failures, headersOf } from "./failure_docs.ts";
import { type Credential, families, type Family } from "../http/families.ts";
import type { z } from "zod";
import type { Io, Json, JsonSchema } from "../http/json_schema.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { readsBody, type RestRoute } from "../http/rest.ts";
import { dryRunOutput } from "../../domain/mail/send/drafts/send_output.ts";
import { exampleOf, exampleOfSchema } from "./examples.ts";
import type { Scope } from "../../domain/core/caller.ts";
import { scopesOf } from "../../domain/core/operation.ts";

type Access = PlainRoute["access"];

/**
 * The document's entry for a route of an operation, made from the operation and its example. `copy` is the path of its
 * copy for sessions.
 */
export function restOperation(
  components: Components,
  route: RestRoute,
  access: Access,
  copy?: string,
): Json {
  const { operation } = route;
  const input = components.of(operation.input, "input");
  const fields = input.properties ?? {};
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const fieldOf = (name: string) => route.params?.[name] ?? name;
  const fromPath = new Set(names.map(fieldOf));
  const rest = Object.entries(fields).filter(([name]) => !fromPath.has(name));
  const { input: given, output } = exampleOf(operation);
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
    required: !route.bodyOptional || rest.some(([name]) => input.required?.includes(name)),
    content: jsonContent(
      components.named(components.bodyName(operation.input, operation.name), {
        ...input,
        properties: Object.fromEntries(rest),
        ...input.required && { required: input.required.filter((name) => !fromPath.has(name)) },
      }),
      Object.fromEntries(Object.entries(given).filter(([name]) => !fromPath.has(name))),
    ),
  };
  const status = route.status ?? 200;
  return {
    operationId: operationId(operation.name, route.family),
    tags: [route.tag],
    summary: operation.title,
    description: described(operation.description, scopesOf(operation), copy),
    security: security(access, route.family, copy),
    ...parameters.length > 0 && { parameters },
    ...body && { requestBody: body },
    responses: {
      [status]: {
        description: status === 201 ? "Created" : "Done",
        headers: headersOf({ family: route.family, access }),
        content: jsonContent(
          components.named(
            `${pascal(operation.name)}Response`,
            components.of(route.envelope.schema(operation.output), "output"),
          ),
          route.envelope.body(output, () => ({ limit: 20, ...given })),
        ),
      },
      ...route.dryRun && { 200: dryRunAnswer(components, route, access) },
      ...failures(components, [
        ...operation.errors,
        ...expected({ ...route, access }, scopesOf(operation), copy !== undefined),
        // Every route but health refuses parameters that it does not know.
        ...(route.family === "health" ? [] : ["VALIDATION_ERROR" as const]),
        ...(readsBody(route)
          ? ["BAD_REQUEST", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"] as const
          : []),
      ], { family: route.family, access }),
    },
  };
}

/** The answer of a request with `dry_run: true`. */
function dryRunAnswer(components: Components, route: RestRoute, access: Access): Json {
  return {
    description: "With dry_run: what would be done",
    headers: headersOf({ family: route.family, access }),
    content: jsonContent(
      components.named(
        "DryRunResponse",
        components.of(route.envelope.schema(dryRunOutput), "output"),
      ),
      route.envelope.body(exampleOfSchema(dryRunOutput, "output"), () => ({})),
    ),
  };
}

/** A body of this type; without an example if that is undefined. */
function content(type: string, schema: JsonSchema, example?: unknown): Json {
  return { [type]: { schema, ...example !== undefined && { example } } };
}

const jsonContent = (schema: JsonSchema, example?: unknown) =>
  content("application/json", schema, example);

/** The schema of a body; without one it is text or bytes of the type. */
function schemaOf(components: Components, type: string, io: Io, schema?: z.ZodType): JsonSchema {
  return schema ? components.of(schema, io) : { type: "string", contentMediaType: type };
}

/** The document's entry for a route with its own documentation. */
export function plainOperation(components: Components, route: PlainRoute, copy?: string): Json {
  const { success, body, others = [] } = route;
  return {
    operationId: camel(route.name),
    tags: [route.tag],
    summary: route.title,
    description: described(route.description, scopesOf(route), copy),
    security: security(route.access, route.family, copy),
    ...route.parameters && {
      parameters: route.parameters.map(({ in: place, name, description, schema, ...each }) =>
        parameter(
          place,
          name,
          { ...schema ? components.of(schema, "input") : { type: "string" }, description },
          place === "path" || (each.required ?? false),
          each.example,
        )
      ),
    },
    ...body && {
      requestBody: {
        required: true,
        description: body.description,
        content: content(
          body.contentType,
          schemaOf(components, body.contentType, "input", body.schema),
          body.example,
        ),
      },
    },
    responses: {
      [success.status]: {
        description: success.description,
        headers: {
          ...headersOf(route),
          ...Object.fromEntries(
            Object.entries(success.headers ?? {}).map(([name, description]) => [name, {
              description,
              required: !success.json,
              schema: { type: "string" },
            }]),
          ),
        },
        content: {
          ...content(
            success.contentType,
            schemaOf(components, success.contentType, "output", success.schema),
            success.example,
          ),
          ...success.json &&
            jsonContent(components.of(success.json.schema, "output"), success.json.example),
          ...success.alsoAs && content(success.alsoAs, { type: "string" }),
        },
      },
      ...Object.fromEntries(others.map(({ status, description, schema, example }) => [status, {
        description,
        headers: headersOf(route),
        ...schema && { content: jsonContent(components.of(schema, "output"), example) },
      }])),
      ...failures(components, [...route.errors, ...expected(route, scopesOf(route))], route),
    },
  };
}

/** Ids must be unique: the dashboard's `list_api_keys` and that of v1 are two operations of the document. */
function operationId(name: string, family: Family): string {
  return camel(family === "dashboard" ? `dashboard_${name}` : name);
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function described(text: string, scopes: readonly Scope[], copy?: string): string {
  const all = scopes.length === 0 ? text : `${text}\n\n${scopesText(scopes)}`;
  return copy === undefined
    ? all
    : `${all}\n\nWith a session: \`${copy.replace(/:(\w+)/g, "{$1}")}\`.`;
}

function scopesText(scopes: readonly Scope[]): string {
  const named = scopes.map((scope) => `\`${scope}\``).join(" and ");
  return `A limited key needs the scope${scopes.length > 1 ? "s" : ""} ${named}.`;
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
    ...description && { description },
    schema,
    ...example !== undefined && { example },
  };
}

/** Every kind of credential. `cookie` is the name of the session cookie. */
export const securitySchemes = (cookie: string): Record<Credential, Json> => ({
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key: `Authorization: Bearer lbx_...`; under /v1 only",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    description: "The accessToken of a login: `Authorization: Bearer lbxa_...`",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookie,
    description:
      "The cookie that a login sets; under /api only. Changes must come from the service's own origin",
  },
  inboundToken: {
    type: "http",
    scheme: "bearer",
    description: "A token of the setting INBOUND_TOKENS, as Bearer",
  },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "The setting OPERATOR_TOKEN, as Bearer",
  },
});

/** A copy accepts the credentials of the dashboard. */
function security(access: Access, family: Family, copy?: string): Json[] {
  if (access === "everybody" || access === "provider") return [];
  const all = [...families[family].takes, ...(copy ? families.dashboard.takes : [])];
  return [...new Set<Credential>(all)].map((credential) => ({ [credential]: [] }));
}
