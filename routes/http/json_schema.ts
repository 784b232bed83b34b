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

/**
 * A schema as JSON Schema 2020-12, as MCP and OpenAPI 3.1 show it: without what only Zod understands. `io` says whether
 * it describes what a caller gives (defaults may be absent) or gets.
 */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  });
  return JSON.parse(JSON.stringify(shown), (_key, value) => split(value));
}

/** Nullable fields with one type a branch: clients that map schemas onto other dialects drop what has two types. */
function split(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("type" in value)) return value;
  const { type, ...rest } = value;
  // A property may be called type; a list of types is a keyword.
  return Array.isArray(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : value;
}

/** Takes off bounds that say no more than "an integer" and the pattern that repeats contentEncoding. */
function tidy(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.contentEncoding === "base64") {
    delete schema.pattern;
    delete schema.format;
  }
}
