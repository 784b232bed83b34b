// `deno task fields` writes the tables of fields into docs/specification.md; a test fails if one is stale.
import { z } from "zod";
import { command, runCommandLine } from "../../commands/command_line.ts";
import { served } from "../../routes/app.ts";
import { openApiDocument, type Served } from "../../routes/reference/openapi.ts";

export const specification = new URL("../../docs/specification.md", import.meta.url);

interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** The records of the OpenAPI document by name, such as `Email`. */
const records = (openApiDocument(served as unknown as Served, { baseUrl: "", version: "" })
  .components as { schemas: Record<string, Schema> }).schemas;

const isRecord = (name: string) => /^[A-Z]/.test(name);

/** A record by its name, or the input of an operation that a route serves, as a client sends it. */
function schemaOf(name: string): Schema {
  if (isRecord(name)) {
    if (!records[name]) throw new Error(`docs/specification.md: no answer has a "${name}"`);
    return records[name];
  }
  const row = [...served.account, ...served.open, ...served.operator]
    .find(({ operation }) => operation.name === name);
  if (!row) throw new Error(`docs/specification.md: no route serves "${name}"`);
  return z.toJSONSchema(row.operation.input, { io: "input", unrepresentable: "any" }) as Schema;
}

/** "1-100", "at most 255"; the largest safe integer is no limit. */
function within(least: number | undefined, most: number | undefined, unit: string): string {
  const text = (value: number) => value.toLocaleString("en-US");
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) {
    return least && least > 1 ? ` from ${text(least)}${unit}` : "";
  }
  return least === undefined || (least === 0 && unit !== "")
    ? `, at most ${text(most)}${unit}`
    : ` ${text(least)}-${text(most)}${unit}`;
}

/** The tables of a document: what a cell needs to know of the others. */
class Tables {
  /** The heading above the table of each record, as the end of a link. */
  private readonly headings = new Map<string, string>();

  constructor(text: string) {
    let heading = "";
    for (const [, title, name] of text.matchAll(/^#+ (.+)|<!-- fields: (\w+)/gm)) {
      if (title) heading = title.toLowerCase().replaceAll(" ", "-");
      else if (isRecord(name)) this.headings.set(name, heading);
    }
  }

  /** Rows for the fields of a schema; fields that are the same in `like` share a row at the end. */
  tableOf(name: string, like: string | undefined, link: string): string {
    const all = schemaOf(name);
    const others = like ? schemaOf(like).properties! : {};
    const rows: string[] = [], same: string[] = [];
    for (const [field, schema] of Object.entries(all.properties ?? {})) {
      // `max_chars` has a section of its own.
      if (field === "max_chars") continue;
      const shown = `\`${field}${all.required?.includes(field) ? "" : "?"}\``;
      const other = others[field];
      const isSame = other && (isRecord(name)
        ? bare(other) === bare(schema) &&
          [undefined, other.description].includes(schema.description)
        : other.description === schema.description && other.default === schema.default);
      if (isSame) same.push(shown);
      else rows.push(this.row(shown, schema, all), ...this.partsOf(field, schema));
    }
    if (same.length > 0) rows.push(`| ${same.join(", ")} | | as in ${link} |`);
    const head = isRecord(name) ? `\`${name}\` | type` : "field | type (default)";
    return [`| ${head} | meaning |`, "| --- | --- | --- |", ...rows].join("\n");
  }

  private row(shown: string, schema: Schema, all: Schema): string {
    const fallback = schema.default === undefined || schema.default === ""
      ? ""
      : ` (\`${JSON.stringify(schema.default).replaceAll('"', "")}\`)`;
    const meaning = (schema.description ?? "").replace(/\.$/, "");
    return `| ${shown} | ${this.typeOf(schema, all)}${fallback} | ${escaped(meaning)} |`;
  }

  /** Rows for the described fields of an object in a record, if that has no table of its own. */
  private partsOf(field: string, schema: Schema): string[] {
    const inner = schema.items ?? schema;
    const name = inner.$ref?.split("/").at(-1) ?? "";
    if (this.headings.has(name)) return [];
    const { properties = {} } = records[name] ?? inner;
    const mark = schema.items ? "[]." : ".";
    return Object.entries(properties).filter(([, each]) => each.description)
      .map(([part, each]) => this.row(`\`${field}${mark}${part}\``, each, {}));
  }

  private typeOf(schema: Schema, all: Schema): string {
    if (schema.$ref) {
      const name = schema.$ref.split("/").at(-1)!;
      const heading = this.headings.get(name);
      return heading
        ? `[${name}](#${heading})`
        : this.typeOf(all.$defs?.[name] ?? records[name], all);
    }
    if (schema.anyOf) return schema.anyOf.map((each) => this.typeOf(each, all)).join(" or ");
    if (schema.const !== undefined) return `\`${schema.const}\``;
    if (schema.enum && schema.enum.length <= 6) {
      return schema.enum.map((each) => `\`${each}\``).join(", ");
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => this.typeOf({ ...schema, type }, all)).join(" or ");
    }
    switch (schema.type) {
      case "string":
        if (schema.format === "date-time") return "time";
        return `text${within(schema.minLength, schema.maxLength, "")}`.replace(
          /^text (?=\d)/,
          "text of ",
        );
      case "integer":
      case "number":
        return `number${within(schema.minimum, schema.maximum, "")}`;
      case "array": {
        const entry = this.typeOf(schema.items ?? {}, all);
        const of = /^\[|^`\{/.test(entry) ? ` of ${entry}` : "";
        return `list${of}${within(schema.minItems, schema.maxItems, " entries")}`;
      }
      case "object":
        return schema.properties
          ? `\`{${
            Object.keys(schema.properties).map((each) =>
              schema.required?.includes(each) ? each : `${each}?`
            ).join(", ")
          }}\``
          : "object";
      default:
        return schema.type ?? "any";
    }
  }
}

/** Text for a cell; what stands in backquotes needs no mark before "<". */
const escaped = (text: string) =>
  text.replaceAll("|", "\\|").replace(/`[^`]*`|</g, (found) => found === "<" ? "\\<" : found);

/** A schema without its description. */
const bare = ({ description: _, ...rest }: Schema) => JSON.stringify(rest);

const marked =
  /(<!-- fields: (\w+)(?:, like (\w+) (\[[^\]]+\]\(#[\w-]+\)))? -->\n)[^]*?(<!-- end of fields -->)/g;

/** The specification with its marked tables as the schemas have them. */
export function withTables(text: string): string {
  const tables = new Tables(text);
  return text.replace(
    marked,
    (_, start, name, like, link, end) => `${start}\n${tables.tableOf(name, like, link)}\n\n${end}`,
  );
}

if (import.meta.main) {
  const program = command({
    description: "Writes the tables of fields into docs/specification.md",
    run: async () => {
      await Deno.writeTextFile(specification, withTables(await Deno.readTextFile(specification)));
      await new Deno.Command("deno", { args: ["fmt", "--quiet", specification.pathname] }).output();
      Deno.exit(0);
    },
  });
  await runCommandLine("deno task fields", program, Deno.args);
}
