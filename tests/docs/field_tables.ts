// `deno task fields` writes the tables of fields into docs/specification.md; a test fails if one is stale.
import { z } from "zod";
import { command, runCommandLine } from "../../commands/command_line.ts";
import { served } from "../../routes/app.ts";

export const specification = new URL("../../docs/specification.md", import.meta.url);

interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
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

/** The input of an operation that a route serves, as a client sends it. */
function inputOf(name: string): Schema {
  const row = served.account.find(({ operation }) => operation.name === name);
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

function typeOf(schema: Schema, all: Schema): string {
  if (schema.$ref) return typeOf(all.$defs![schema.$ref.split("/").at(-1)!], all);
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, all)).join(" or ");
  if (schema.enum && schema.enum.length <= 6) {
    return schema.enum.map((each) => `\`${each}\``).join(", ");
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
    case "boolean":
      return "boolean";
    case "array":
      return `list${within(schema.minItems, schema.maxItems, " entries")}`;
    default:
      return schema.type ?? "any";
  }
}

const escaped = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

/** Rows for the fields of an operation; fields that mean the same in `like` share a row at the end. */
function tableOf(name: string, like: string | undefined, link: string): string {
  const all = inputOf(name);
  const others = like ? inputOf(like).properties! : {};
  const rows: string[] = [], same: string[] = [];
  for (const [field, schema] of Object.entries(all.properties ?? {})) {
    // `max_chars` has a section of its own.
    if (field === "max_chars") continue;
    const isRequired = all.required?.includes(field);
    const shown = `\`${field}${isRequired ? "" : "?"}\``;
    if (
      others[field]?.description === schema.description && others[field]?.default === schema.default
    ) {
      same.push(shown);
      continue;
    }
    const fallback = schema.default === undefined || schema.default === ""
      ? ""
      : ` (\`${JSON.stringify(schema.default).replaceAll('"', "")}\`)`;
    const meaning = (schema.description ?? "").replace(/\.$/, "");
    rows.push(`| ${shown} | ${typeOf(schema, all)}${fallback} | ${escaped(meaning)} |`);
  }
  if (same.length > 0) rows.push(`| ${same.join(", ")} | | as in ${link} |`);
  return ["| field | type (default) | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

const marked =
  /(<!-- fields: (\w+)(?:, like (\w+) (\[\w+\]\(#[\w-]+\)))? -->\n)[^]*?(<!-- end of fields -->)/g;

/** The specification with its marked tables as the schemas have them. */
export const withTables = (text: string): string =>
  text.replace(
    marked,
    (_, start, name, like, link, end) => `${start}\n${tableOf(name, like, link)}\n\n${end}`,
  );

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
