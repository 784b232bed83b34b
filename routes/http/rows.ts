import { inData } from "./envelopes.ts";
import type { RouteGroup } from "./families.ts";
import type { RestRoute } from "./rest.ts";

/** What the rows of a table have in common. */
type Shared = RouteGroup & Pick<RestRoute, "params">;

/**
 * Returns the function that makes the rows of a table: the method, the path below `base`, the operation, and the source
 * of its input besides the path. The envelope is `inData` unless `more` has another.
 */
export function rowsOf(base: string, shared: Shared) {
  return (
    method: RestRoute["method"],
    path: string,
    operation: RestRoute["operation"],
    input: RestRoute["input"],
    more: Partial<RestRoute> = {},
  ): RestRoute => ({
    ...shared,
    method,
    path: base + path,
    operation,
    input,
    envelope: inData,
    ...more,
  });
}
