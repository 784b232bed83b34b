import { documentOfTheSdks } from "./document.ts";

// deno-lint-ignore no-explicit-any -- JSON Schema
type Schema = any;

const plainTypes: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Keywords of Python that the API uses as names: arguments get a `_` at the end. */
const keywords = new Set(["from", "as", "import", "class", "global", "in", "is", "not", "or"]);

/** The text of `models.py`: the records of the document, and the arguments of its operations, as TypedDicts. */
export function pythonModels(): string {
  const { paths, components, webhooks } = documentOfTheSdks() as Schema;
  const models = new Models();
  for (const [name, schema] of Object.entries<Schema>(components.schemas)) {
    models.define(name, schema);
  }
  for (const operations of Object.values<Schema>(paths)) {
    for (const operation of Object.values<Schema>(operations)) {
      models.arguments(operation, components.schemas);
    }
  }
  const events = Object.values<Schema>(webhooks).map(({ post }) => {
    const { schema } = post.requestBody.content["application/json"];
    return schema.$ref.split("/").pop();
  });
  return models.text(events);
}

class Models {
  private readonly defined = new Map<string, string>();

  define(name: string, schema: Schema): void {
    if (schema.type === "object" && schema.properties && !this.defined.has(name)) {
      this.defined.set(name, "");
      const required: string[] = schema.required ?? [];
      // The envelope: the client takes it off.
      const { success: _, ...properties } = schema.properties;
      const fields = Object.entries<Schema>(properties).map(([key, each]) => {
        const type = this.typeOf(each, name + pascal(key));
        return [key, required.includes(key) ? type : `NotRequired[${type}]`];
      });
      this.dict(name, fields, schema.description);
    } else if (!this.defined.has(name)) {
      this.defined.set(name, `${name}: TypeAlias = ${JSON.stringify(this.typeOf(schema, name))}\n`);
    }
  }

  /** The arguments of a method by name: the query and the fields of the body. */
  arguments(operation: Schema, schemas: Record<string, Schema>): void {
    const fields = new Map<string, string>();
    for (const { in: place, name, schema, required } of operation.parameters ?? []) {
      if (place !== "query") continue;
      const type = this.typeOf(schema, pascal(operation.operationId) + pascal(name));
      fields.set(name, required ? type : `NotRequired[${type}]`);
    }
    let body = operation.requestBody?.content["application/json"]?.schema;
    if (body?.$ref) body = schemas[body.$ref.split("/").pop()];
    for (const [key, each] of Object.entries<Schema>(body?.properties ?? {})) {
      let type = this.typeOf(each, pascal(operation.operationId) + pascal(key));
      // Bytes and paths become base64.
      if (key === "attachments") type = "list[Any]";
      fields.set(key, body.required?.includes(key) ? type : `NotRequired[${type}]`);
    }
    const named = [...fields].map(([key, type]) => [keywords.has(key) ? `${key}_` : key, type]);
    this.dict(`${pascal(operation.operationId)}Fields`, named, operation.summary);
  }

  text(events: string[]): string {
    return [
      "# made by `deno task sdk:types` from the OpenAPI document; do not edit",
      '"""Records of the API, and the arguments of its operations."""',
      "",
      "from __future__ import annotations",
      "",
      "from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union",
      "",
      "if TYPE_CHECKING:",
      "    from typing_extensions import NotRequired, TypeAlias",
      "",
      [...this.defined.values()].join("\n"),
      `WebhookEvent: TypeAlias = ${JSON.stringify(`Union[${events.join(", ")}]`)}`,
      "",
    ].join("\n");
  }

  private dict(name: string, fields: string[][], description?: string): void {
    const lines = fields.map(([key, type]) =>
      `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`
    );
    const note = description ? `# ${description.replace(/\s+/g, " ")}\n` : "";
    const body = lines.length > 0 ? `{\n${lines.join("")}    }` : "{}";
    this.defined.set(
      name,
      `${note}${name} = TypedDict(\n    ${JSON.stringify(name)},\n    ${body},\n)\n`,
    );
  }

  private typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.split("/").pop();
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const types = choices.map((each: Schema, n: number) => this.typeOf(each, `${name}${n + 1}`));
      return `Union[${[...new Set(types)].join(", ")}]`;
    }
    const values = schema.const !== undefined ? [schema.const] : schema.enum;
    if (values) return `Literal[${values.map(literal).join(", ")}]`;
    if (schema.type === "array") {
      return `list[${schema.items ? this.typeOf(schema.items, `${name}Item`) : "Any"}]`;
    }
    if (schema.type === "object") {
      if (!schema.properties) return "dict[str, Any]";
      this.define(name, schema);
      return name;
    }
    return plainTypes[schema.type] ?? "Any";
  }
}

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

export const pascal = (name: string) =>
  name.replace(/(^|[_\-.])(\w)/g, (_, _dash, letter) => letter.toUpperCase());
