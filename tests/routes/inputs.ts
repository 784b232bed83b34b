import fc from "fast-check";
import type { JsonSchema } from "../../routes/http/json_schema.ts";

/** Any character. `fc.string({ unit: "binary" })` makes a table of all of them first, for 1.5 s. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).filter((point) => point >> 11 !== 0x1b)
  .map((point) => String.fromCodePoint(point));

/** Text that has broken parsers, keys, headers and databases in the past. */
const nasty = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "a\r\nBcc: b@x.net",
    "..",
    "../../etc/passwd",
    "%00",
    "'\"--",
    "__proto__",
  ),
  fc.constantFrom(
    "constructor",
    "\ud800",
    "\u202e",
    "\ufeff",
    "null",
    "NaN",
    "1e999",
    "-0",
    "💌".repeat(50),
  ),
  fc.integer({ min: 100, max: 5_000 }).map((length) => "x".repeat(length)),
  fc.string({ maxLength: 40 }),
  fc.array(codePoint, { maxLength: 40 }).map((points) => points.join("")),
);

/** Any JSON value; most are invalid everywhere. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  nasty,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], 0, -1, 1.5, 1e308, 2 ** 53),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values of a JSON schema; rules that only the operation has may be broken. */
export function valuesOf(
  schema: JsonSchema,
  known: Record<string, string[]>,
): fc.Arbitrary<unknown> {
  const { type, items, properties = {}, required = [] } = schema;
  const branches = schema.anyOf as JsonSchema[] | undefined;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum as unknown[]);
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, known)));
  if (type === "integer" || type === "number") {
    const min = Number(schema.minimum ?? 0), max = Number(schema.maximum ?? 1_000);
    return fc.integer({ min, max: Math.min(max, min + 10_000) });
  }
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") {
    return fc.array(valuesOf(items as JsonSchema ?? {}, known), { minLength: 1, maxLength: 3 });
  }
  if (type === "object") {
    const fields = Object.entries(properties).map(([name, field]) => {
      const value = known[name] ? fc.constantFrom(...known[name]) : valuesOf(field, known);
      return [name, value] as const;
    });
    return fc.record(Object.fromEntries(fields), { requiredKeys: required });
  }
  const longest = Math.min(Number(schema.maxLength ?? 60), 60);
  return fc.string({
    minLength: Math.min(Number(schema.minLength ?? 0), longest),
    maxLength: longest,
  });
}

/** Whole inputs: valid ones, ones with some wrong fields, and any JSON value. */
export function inputsOf(
  schema: JsonSchema,
  known: Record<string, string[]>,
): fc.Arbitrary<unknown> {
  const right = valuesOf(schema, known);
  const names = Object.keys(schema.properties ?? {});
  const name = names.length > 0 ? fc.constantFrom(...names, "unknown") : fc.constant("unknown");
  const spoilt = fc.tuple(right, fc.array(fc.tuple(name, junk), { minLength: 1, maxLength: 2 }))
    .map(([input, changes]) => ({ ...input as object, ...Object.fromEntries(changes) }));
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 5, arbitrary: spoilt }, {
    weight: 1,
    arbitrary: junk,
  });
}
