import type { z } from "zod";
import type { Operation } from "../../domain/core/operation.ts";
import { type Io, type JsonSchema, jsonSchemaOf } from "../http/json_schema.ts";
import { date, type Fields, ofOperation, values } from "./example_values.ts";

/** An input and an output of an operation for the reference, made from its schemas. A test validates both. */
export interface Example {
  input: Record<string, unknown>;
  output: unknown;
}

const made = new Map<string, Example>();

/** The required fields, and those that `ofOperation` gives the operation. */
export function exampleOf({ name, input, output }: Operation): Example {
  const known = made.get(name);
  if (known) return known;
  const own = ofOperation[name];
  const example = {
    input: exampleOfSchema(input, "input", own?.input) as Record<string, unknown>,
    output: exampleOfSchema(output, "output", own?.output),
  };
  made.set(name, example);
  return example;
}

/** A value of the schema. Optional fields are left out, unless `own` has them; `own` goes before the usual values. */
export function exampleOfSchema(schema: z.ZodType, io: Io, own: Fields = {}): unknown {
  return valueOf(jsonSchemaOf(schema, io), "", own);
}

/** `name` is that of the field. */
function valueOf(schema: JsonSchema, name: string, own: Fields): unknown {
  const { type, properties, required = [], format } = schema;
  for (const known of [own, values]) {
    if (name in known && fits(schema, known[name])) return known[name];
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return valueOf(options.find((each) => each.type !== "null")!, name, own);
  switch (type) {
    case "object": {
      const fields = Object.entries(properties ?? {})
        .filter(([field]) => required.includes(field) || field in own);
      return Object.fromEntries(fields.map(([field, each]) => [field, valueOf(each, field, own)]));
    }
    case "array":
      return [valueOf(schema.items as JsonSchema, name, own)];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return Math.max(schema.minimum as number ?? 0, 12);
    default:
      return format === "date-time" ? date : name;
  }
}

/** Whether a value has a type of the schema, and is among its choices. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return options.some((each) => fits(each, value));
  if ("const" in schema) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  switch (schema.type) {
    case "null":
      return value === null;
    case "array": {
      const items = schema.items as JsonSchema;
      return Array.isArray(value) && value.every((each) => fits(items, each));
    }
    case "object": {
      if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
      const fields = schema.properties;
      if (!fields) return true;
      return Object.keys(value).every((field) => field in fields) &&
        (schema.required ?? []).every((field) => field in value);
    }
    case "integer":
    case "number":
      return typeof value === "number" && value >= (schema.minimum as number ?? -Infinity) &&
        value <= (schema.maximum as number ?? Infinity);
    default:
      return (typeof value as string) === schema.type;
  }
}
