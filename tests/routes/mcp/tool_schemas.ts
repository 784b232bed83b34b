import type { Tool } from "../../../routes/mcp/tools.ts";
import { type JsonSchema, jsonSchemaOf } from "../../../routes/http/json_schema.ts";

/** The schema of the arguments that a tool's operation takes. */
export const schemaOf = ({ operation }: Tool) => jsonSchemaOf(operation.input, "input");

export const typesOf = (schema: JsonSchema): string[] =>
  schema.anyOf ? (schema.anyOf as JsonSchema[]).flatMap(typesOf) : [String(schema.type)];

export interface Argument {
  name: string;
  types: string[];
}

/** The optional arguments of a schema, with the types that they take. */
export function optionalOf({ properties = {}, required = [] }: JsonSchema): Argument[] {
  return Object.entries(properties).filter(([name]) => !required.includes(name))
    .map(([name, schema]) => ({ name, types: typesOf(schema) }));
}
