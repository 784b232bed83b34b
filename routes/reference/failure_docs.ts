import { z } from "zod";
import { type ErrorCode, errorMessages } from "../../domain/core/errors.ts";
import { type Components, pascal } from "./components.ts";
import { errorDocs } from "./error_docs.ts";
import { statusOf } from "../http/failures.ts";
import { families, takes } from "../http/families.ts";
import type { Json, JsonSchema } from "../http/json_schema.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import type { Scope } from "../../domain/core/caller.ts";

/**
 * The failures that a route may answer, by status: each code with its schema and an example. A code whose statuses the
 * route sets itself (`statuses`) is listed under each of them. Another answer of the route with the same status is
 * listed next to them.
 */
export function failures(
  components: Components,
  codes: readonly ErrorCode[],
  route: Pick<PlainRoute, "family" | "access" | "bareErrors" | "statuses" | "others">,
): Json {
  const bare = route.bareErrors ?? [];
  const answers = [...new Set(codes)].flatMap((code) =>
    (route.statuses?.[code] ?? [statusOf[code]]).map((status) => ({ status, code }))
  );
  const byStatus = [...Map.groupBy(answers, ({ status }) => status)].sort(([a], [b]) => a - b);
  const entries = byStatus.map(([status, answers]) => {
    const group = answers.map(({ code }) => code);
    const schemas = group.map((code) =>
      bare.includes(code) ? bareErrorOf(components, code) : errorOf(components, code)
    );
    const descriptions = group.map((code) => `\`${code}\`: ${errorDocs[code].when}`);
    const examples: [string, Json][] = group.map((
      code,
    ) => [code, { value: exampleOf(code, !bare.includes(code)) }]);
    const other = route.others?.find((each) => each.status === status);
    if (other?.schema) {
      schemas.push(components.of(other.schema, "output"));
      descriptions.push(other.description);
      // Named by its code, as the others are.
      const { error } = Object(other.example);
      examples.push([String(error?.code ?? status), { value: other.example }]);
    }
    return [status, {
      description: descriptions.join("\n\n"),
      headers: headersOf(route, group),
      content: {
        "application/json": {
          schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
          examples: Object.fromEntries(examples),
        },
      },
    }];
  });
  return Object.fromEntries(entries);
}

/** The codes that every route of this access and family may answer, in addition to its own. */
export function expected(
  { access, family, method }: Pick<PlainRoute, "access" | "family" | "method">,
  scopes: readonly Scope[],
  hasCopy = false,
): ErrorCode[] {
  const always: ErrorCode[] = ["INTERNAL_ERROR", "SERVICE_UNAVAILABLE"];
  if (family === "health") return ["INTERNAL_ERROR"];
  // The reference is fixed text and cannot fail.
  if (family === "reference") return [];
  if (families[family].showsLimits && access !== "provider") always.push("RATE_LIMIT_EXCEEDED");
  if (access === "operator") {
    always.push("UNAUTHORIZED", "NOT_FOUND", "RATE_LIMIT_EXCEEDED");
  }
  if (access === "inbound") always.push("UNAUTHORIZED", "RATE_LIMIT_EXCEEDED");
  if (access === "account") {
    always.push("UNAUTHORIZED");
    // A session has every scope, but a change by cookie from another origin is refused.
    const byCookie = (hasCopy || takes(family, "session")) && method !== "GET";
    const byScope = !takes(family, "session") && scopes.length > 0;
    if (byCookie || byScope) always.push("FORBIDDEN");
  }
  return always;
}

const rateHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
/** The headers that answers refer to. */
export const headerComponents = Object.fromEntries(
  [
    ["X-Request-Id", "Names this request in the log of the service", "string"],
    ["X-RateLimit-Limit", "Size of the window with the fewest requests left", "integer"],
    ["X-RateLimit-Remaining", "Requests left in that window", "integer"],
    ["X-RateLimit-Reset", "When that window ends, in seconds since 1970", "integer"],
    ["Retry-After", "Seconds to wait", "integer"],
    ["WWW-Authenticate", "Always a Bearer challenge", "string"],
  ].map(([name, description, type]) => [name, { description, required: true, schema: { type } }]),
);

/** The headers that every answer with these codes has; without codes, those of a success. */
export function headersOf(
  { family, access }: Pick<PlainRoute, "family" | "access">,
  codes: readonly ErrorCode[] = [],
): Json {
  const names = ["X-Request-Id"];
  if (families[family].showsLimits && access !== "provider") names.push(...rateHeaders);
  if (codes.includes("UNAUTHORIZED")) names.push("WWW-Authenticate");
  if (codes.includes("RATE_LIMIT_EXCEEDED")) names.push("Retry-After");
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function exampleOf(code: ErrorCode, withSuccess: boolean): Json {
  const { example } = errorDocs[code];
  const error = { code, message: errorMessages[code], ...(example ? { details: example } : {}) };
  return withSuccess ? { success: false, error } : { error };
}

const details = z.record(z.string(), z.unknown());

const errorCode = z.enum(Object.keys(errorMessages) as [ErrorCode, ...ErrorCode[]]).meta({
  id: "ErrorCode",
  description: "What went wrong, for programs; act on it together with the HTTP status",
});

/** Every failure. Each code also has its own schema, which narrows this one. */
const anyError = z.object({ success: z.literal(false), error: errorBody(errorCode, details) })
  .meta({ id: "Error", description: "The body of every failure" });

function errorBody(code: z.ZodType, details: z.ZodType) {
  const message = z.string().describe("For people; its text may change");
  return z.object({ code, message, details: details.optional() });
}

function errorBodyOf(code: ErrorCode) {
  return errorBody(z.literal(code), errorDocs[code].details ?? details);
}

/**
 * The schema of a failure with one code. It is made as an input schema, whose objects stay open, so that details can
 * get more fields.
 */
function errorOf(components: Components, code: ErrorCode): JsonSchema {
  return components.error(code, () =>
    components.named(pascal(code).replace(/(Error)?$/, "Error"), {
      allOf: [
        components.of(anyError, "input"),
        components.of(z.object({ error: errorBodyOf(code) }), "input"),
      ],
      description: errorDocs[code].when,
    }));
}

/** The same body without `success`. */
function bareErrorOf(components: Components, code: ErrorCode): JsonSchema {
  return components.of(z.object({ error: errorBodyOf(code) }), "output");
}
