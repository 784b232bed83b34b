import type { Context } from "hono";
import { z } from "zod";
import { invalidField } from "../../domain/core/errors.ts";
import type { PlainRoute } from "./plain_route.ts";
import { refuseUnknownNames, shapeOf } from "./unknown_fields.ts";

/**
 * The parameters of the query. Throws VALIDATION_ERROR if one is given twice, because it is unclear which one counts.
 */
export function queryOf(c: Context): Record<string, string> {
  const start = c.req.url.indexOf("?");
  if (start < 0) return {};
  // Not `c.req.queries()`, whose object loses a name such as `__proto__`.
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(c.req.url.slice(start))) {
    if (query.has(name)) throw invalidField(name, "is given twice");
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

const digits = /^-?\d{1,15}$/;

/**
 * The parameters as the schema takes them, because a query has only texts: decimal digits of a whole number as a number,
 * `true` and `false` as a boolean. Every other text is left for the schema to refuse; `z.coerce` would turn "" into 0.
 */
export function typedQuery(
  schema: z.ZodType,
  query: Record<string, string>,
): Record<string, unknown> {
  const names = Object.keys(query);
  if (names.length === 0) return query;
  const shape = shapeOf(schema);
  return Object.fromEntries(names.map((name) => [name, typed(shape[name], query[name])]));
}

function typed(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
    return typed(field.def.innerType, text);
  }
  if (field instanceof z.ZodNumber && digits.test(text)) return Number(text);
  if (field instanceof z.ZodBoolean && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

/** Throws VALIDATION_ERROR for a query parameter that the route does not document, or that is given twice. */
export function refuseUnknownQuery(c: Context, { parameters }: PlainRoute): void {
  const known = (parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);
  refuseUnknownNames(known, Object.keys(queryOf(c)));
}
