import type { Context, Hono } from "hono";
import { z } from "zod";
import { invalidField, ServiceError } from "../../domain/core/errors.ts";
import { type Operation, perform } from "../../domain/core/operation.ts";
import type { Service } from "../../domain/core/service.ts";
import { readJson, smallBodyBytes } from "./bodies/body.ts";
import { callOf } from "./answers/send_body.ts";
import { sendText } from "./answers/compress.ts";
import { queryOf, typedQuery } from "./query.ts";
import { refuseUnknown } from "./unknown_fields.ts";
import type { Caller, Guest } from "../../domain/core/caller.ts";
import type { Envelope } from "./envelopes.ts";
import type { RouteGroup } from "./families.ts";
import type { Env } from "./env.ts";

/** One REST route of an operation. */
export interface RestRoute extends RouteGroup {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono pattern: `/v1/api/emails/:messageId`. */
  path: string;
  // deno-lint-ignore no-explicit-any -- a table holds operations of every input and output
  operation: Operation<any, any, any>;
  /** The source of the input, besides the path. */
  input: "query" | "json" | "none";
  /** A request without a body has that of `{}`: no field is required, or the error names the one that is. */
  bodyOptional?: true;
  /** Path parameter -> field of the input, if the names differ. */
  params?: Record<string, string>;
  /** Request header -> field of the input that it can set. */
  headers?: Record<string, string>;
  /** Unknown fields of the body are refused, not ignored. Unknown query parameters always are. */
  strict?: boolean;
  /** 200 unless the route creates something. */
  status?: 200 | 201;
  /** An output with `dry_run: true` is answered with 200: nothing was made. */
  dryRun?: true;
  envelope: Envelope;
  maxBodyBytes?: number;
  /** Sets headers or cookies for an output. */
  answer?: (c: Context<Env>, service: Service, output: Record<string, unknown>) => void;
}

/** Mounts a route. Its failures are thrown; the app's handler answers them. `open`: it needs no caller. */
export function mount(app: Hono<Env>, service: Service, route: RestRoute, open: boolean): void {
  app.on(route.method, route.path, async (c) => {
    if (!open) requireCaller(c);
    const input = await inputOf(c, route);
    // The key may have been revoked while the body arrived.
    if (!open && readsBody(route)) await c.get("confirmCaller")();
    const caller: Caller | Guest = open ? c.get("guest") : requireCaller(c);
    return await answer(c, service, caller, route, input, !open);
  });
}

/** Runs an operation with the input of a request, and answers with its output as JSON in its envelope. */
export async function answer(
  c: Context<Env>,
  service: Service,
  caller: Caller | Guest,
  route: Pick<RestRoute, "operation" | "envelope" | "status" | "dryRun" | "answer">,
  input: Record<string, unknown>,
  mayCompress: boolean,
): Promise<Response> {
  const { operation, envelope } = route;
  const parsed = () => operation.input.parse(input);
  const output = await perform(operation, service, caller, input, {
    surface: "rest",
    ...callOf(c, service),
    around: (output) =>
      JSON.stringify(envelope.body(output, parsed)).length - JSON.stringify(output).length,
  });
  route.answer?.(c, service, output);
  const body = envelope.body(output, parsed);
  const isDryRun = route.dryRun && (output as { dry_run?: true }).dry_run;
  const status = isDryRun ? 200 : route.status ?? 200;
  c.header("Content-Type", "application/json");
  // An answer that creates something or begins a session may have a secret, and compression would reveal facts about
  // it.
  return await sendText(c, JSON.stringify(body), status, {
    mayCompress: mayCompress && status !== 201,
    changed: operation.audit === "change",
  });
}

export function requireCaller(c: Context<Env>): Caller {
  const caller = c.get("caller");
  if (!caller) throw new ServiceError("UNAUTHORIZED");
  return caller;
}

async function inputOf(c: Context<Env>, route: RestRoute): Promise<Record<string, unknown>> {
  // Load balancers and monitors may add any query to the path of health.
  const query = route.family === "health" ? {} : queryOf(c);
  const params = Object.fromEntries(
    Object.entries(c.req.param() as Record<string, string>)
      .map(([name, value]) => [route.params?.[name] ?? name, value]),
  );
  const taken = route.input === "query" ? route.operation.input : noFields;
  refuseUnknown(taken, query, Object.keys(params));
  const given = route.input === "query"
    ? typedQuery(route.operation.input, query)
    : await fieldsOfBody(c, route, params);
  return { ...given, ...headersOf(c, route, given), ...params };
}

/**
 * Whether a route reads its body. A strict one that takes no fields does: a field may be meant for another route, such
 * as `delay_seconds` of `nack`.
 */
export function readsBody({ input, strict }: Pick<RestRoute, "input" | "strict">): boolean {
  return input === "json" || (input === "none" && strict === true);
}

/** `params`: fields that the path has; a strict route refuses them in its body. */
async function fieldsOfBody(
  c: Context<Env>,
  route: RestRoute,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!readsBody(route)) return {};
  const takesNone = route.input === "none";
  const optional = takesNone || route.bodyOptional;
  const given = asObject(await readJson(c, route.maxBodyBytes ?? smallBodyBytes, optional));
  if (route.strict) {
    refuseUnknown(takesNone ? noFields : route.operation.input, given, Object.keys(params));
  }
  return given;
}

const noFields = z.object({});

/**
 * Fields that came as headers. Throws VALIDATION_ERROR if the body has another value, because it is unclear which one
 * counts.
 */
function headersOf(
  c: Context<Env>,
  route: RestRoute,
  given: Record<string, unknown>,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [header, field] of Object.entries(route.headers ?? {})) {
    const value = c.req.header(header);
    if (value === undefined) continue;
    if (given[field] !== undefined && given[field] !== value) {
      throw invalidField(field, `differs from the header ${header}`);
    }
    fields[field] = value;
  }
  return fields;
}

function asObject(body: unknown): Record<string, unknown> {
  if (body !== null && typeof body === "object" && !Array.isArray(body)) {
    return body as Record<string, unknown>;
  }
  throw new ServiceError("BAD_REQUEST", "The body must be a JSON object.");
}
