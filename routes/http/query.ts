import type { Context } from "hono";
import { invalidField } from "../../domain/core/errors.ts";
import type { PlainRoute } from "./plain_route.ts";
import { refuseUnknownNames } from "./unknown_fields.ts";

/**
 * The parameters of the query. Throws VALIDATION_ERROR if one is given twice, because it is unclear which one counts.
 */
export function queryOf(c: Context): Record<string, string> {
  const query: Record<string, string> = {};
  if (!c.req.url.includes("?")) return query;
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) {
      throw invalidField(name, "is given twice");
    }
    query[name] = values[0];
  }
  return query;
}

/** Throws VALIDATION_ERROR for a query parameter that the route does not document, or that is given twice. */
export function refuseUnknownQuery(c: Context, { parameters }: PlainRoute): void {
  const known = (parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);
  refuseUnknownNames(known, Object.keys(queryOf(c)));
}
