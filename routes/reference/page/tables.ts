import { html } from "hono/html";
import type { Parameter, Schema } from "./document.ts";
import { type Html, line } from "./prose.ts";

const place = "#/components/schemas/";

interface Row {
  name: string;
  required: boolean;
  schema: Schema;
}

/** Tables of fields. Fields of a named type link to it; `linked` collects these names. */
export class Tables {
  readonly linked = new Set<string>();

  constructor(private readonly schemas: Record<string, Schema>) {}

  parameters(parameters: Parameter[]): Html {
    const heads = ["parameter", "in", "type", "meaning"];
    const rows = parameters.map((each) =>
      html`<tr>${nameCell(each)}<td>${each.in}</td><td>${this.type(each.schema)}</td><td>${
        this.meaning(each.schema, each.description)
      }</td></tr>`
    );
    return table(heads, rows);
  }

  /** The fields of a body or a named type: one table for each of its forms. */
  fields(schema: Schema): Html | "" {
    const shown = this.resolved(schema);
    if (shown.anyOf) return html`${shown.anyOf.map((each) => this.fields(each))}`;
    const rows = this.rowsOf(shown, "");
    if (rows.length === 0) return "";
    return table(
      ["field", "type", "meaning"],
      rows.map((row) =>
        html`<tr>${nameCell(row)}<td>${this.type(row.schema)}</td><td>${
          this.meaning(row.schema)
        }</td></tr>`
      ),
    );
  }

  /** The type's JSON name; a named type as a link. */
  type(schema: Schema): Html | string {
    if (schema.$ref) return this.link(schema.$ref.slice(place.length));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
    if (schema.anyOf) {
      return html`${schema.anyOf.map((each, n) => html`${n > 0 ? " or " : ""}${this.type(each)}`)}`;
    }
    if (schema.type === "array") return html`array of ${this.type(schema.items ?? {})}`;
    return schema.type ?? "any";
  }

  named(name: string): Schema {
    return this.schemas[name];
  }

  /** A field's own description, else that of its type. */
  private meaning(schema: Schema, own = schema.description): Html {
    return line(own ?? this.resolved(schema).description ?? "");
  }

  private link(name: string): Html {
    this.linked.add(name);
    return html`<a href="#schema-${name}">${name}</a>`;
  }

  private resolved(schema: Schema): Schema {
    return schema.$ref ? this.resolved(this.named(schema.$ref.slice(place.length))) : schema;
  }

  /** Fields of unnamed objects come below the object's row: `data.url`, `results[].recipient`. */
  private rowsOf({ properties = {}, required = [] }: Schema, before: string): Row[] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      const row = { name: before + name, required: required.includes(name), schema };
      return [
        row,
        ...this.rowsOf(schema, `${row.name}.`),
        ...this.rowsOf(schema.items ?? {}, `${row.name}[].`),
      ];
    });
  }
}

function nameCell({ name, required }: Pick<Row, "name" | "required">): Html {
  return html`<td><code>${name}</code>${required ? html`<sup title="always">*</sup>` : ""}</td>`;
}

/** A table wider than the screen scrolls by itself. */
export function table(heads: string[], rows: Html[]): Html {
  return html`
    <div class="wide">
      <table><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>${rows}</table>
    </div>
  `;
}
