import { z } from "zod";

/** A piece of an OpenAPI document: plain JSON. */
export type Json = Record<string, unknown>;

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  [keyword: string]: unknown;
}

/** Whether a schema describes what a caller sends (fields with a default are optional) or receives. */
export type Io = "input" | "output";

const place = "#/$defs/";

/**
 * A schema as JSON Schema 2020-12 for MCP: without parts that only Zod understands, and without references, because not
 * every MCP client follows them.
 */
export function jsonSchemaOf(schema: z.ZodType, io: Io): JsonSchema {
  const { schema: shown, named } = namedSchemasOf(schema, io, place);
  return JSON.parse(JSON.stringify(inlined(shown, named)), (_key, each) => withoutNames(each));
}

/** An object with any names: the keywords about them are not known to every model provider. */
function withoutNames(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("propertyNames" in value)) return value;
  const { propertyNames: _names, additionalProperties: _values, ...rest } = value as JsonSchema;
  return rest;
}

/** The same with references `prefix` + name for schemas that have an `id`; `named` holds those by name. */
export function namedSchemasOf(
  schema: z.ZodType,
  io: Io,
  prefix: string,
): { schema: JsonSchema; named: Record<string, JsonSchema> } {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  });
  const { $defs = {}, ...tidied } = JSON.parse(
    JSON.stringify(shown),
    (key, value) => key === "$ref" ? value.replace(place, prefix) : split(value),
  );
  return { schema: tidied, named: $defs };
}

/** A property next to a reference, such as a description, overrides that of the referenced schema. */
function inlined(value: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  return JSON.parse(JSON.stringify(value), (_key, each) => {
    if (typeof each?.$ref !== "string") return each;
    const { $ref, ...beside } = each;
    return { ...inlined(named[$ref.slice(place.length)], named), ...beside };
  });
}

/** A list of types becomes `anyOf`: clients that map schemas onto other dialects drop fields with two types. */
function split(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("type" in value)) return value;
  const { type, ...rest } = value;
  // A property may be called type; a list of types is a keyword.
  return Array.isArray(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : value;
}

/** Removes bounds that only mean "an integer", and patterns that repeat a format or an encoding. */
function tidy(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time") delete schema.pattern;
  if (schema.contentEncoding === "base64") {
    delete schema.pattern;
    delete schema.format;
  }
}
