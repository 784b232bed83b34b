import { html } from "hono/html";
import type { Operation, ReferenceDocument } from "./document.ts";
import { errorSections } from "./error_sections.ts";
import {
  contents,
  operationSection,
  operationsOf,
  type ShownOperation,
} from "./operation_section.ts";
import { type Html, line, prose } from "./prose.ts";
import { table, Tables } from "./tables.ts";

/** The reference in parts. A section has a heading `h3`; links lead to ids of any part. */
export interface ReferenceParts {
  credentials: Html;
  groups: {
    name: string;
    description: string;
    operations: ShownOperation[];
    events: [string, { post: Operation }][];
    sections: Html[];
  }[];
  types: Html[];
  errors: Html[];
}

export function referenceParts(document: ReferenceDocument): ReferenceParts {
  const { tags, paths, webhooks, components } = document;
  const tables = new Tables(components.schemas);
  const operations = operationsOf(paths);
  const groups = tags.map((tag) => {
    const own = operations.filter(({ routes: [{ operation }] }) =>
      operation.tags.includes(tag.name)
    );
    const events = Object.entries(webhooks).filter(([, { post }]) => post.tags.includes(tag.name));
    const sections = own.map((each) => operationSection(each, tables));
    if (events.length > 0) sections.push(...eventSections(events, tables));
    return { ...tag, operations: own, events, sections };
  });
  return {
    credentials: credentials(components.securitySchemes),
    groups,
    types: schemaSections(tables),
    errors: errorSections(document),
  };
}

function credentials(schemes: ReferenceDocument["components"]["securitySchemes"]): Html {
  return table(
    ["name", "meaning"],
    Object.entries(schemes).map(([name, { description }]) =>
      html`
        <tr>
          <td><code>${name}</code></td>
          <td>${line(description)}</td>
        </tr>
      `
    ),
  );
}

/** The parts that all events share come once, before the payloads. */
function eventSections(events: [string, { post: Operation }][], tables: Tables): Html[] {
  const [[, { post: any }]] = events;
  const common = html`${prose(any.description)}${tables.parameters(any.parameters ?? [])}`;
  const sections = events.map(([name, { post }]) =>
    html`<section id="${post.operationId}">
<h3>${name}</h3>
<p>${post.summary}.</p>
${contents(post.requestBody?.content ?? {}, tables)}
<pre tabindex="0">${
      (post.parameters ?? []).map((each) => `${each.name}: ${each.example}`).join("\n")
    }</pre>
</section>`
  );
  return [common, ...sections];
}

/** A section for each named type that a table refers to; a type's own table can refer to more of them. */
function schemaSections(tables: Tables): Html[] {
  const sections: [string, Html][] = [];
  // Iterating a Set includes names that are added meanwhile.
  for (const name of tables.linked) {
    const schema = tables.named(name);
    const fields = tables.fields(schema);
    sections.push([
      name,
      html`<section id="schema-${name}">
<h3>${name}</h3>
${schema.description ? html`<p>${line(schema.description)}</p>` : ""}
${fields || html`<p>${tables.type(schema)}</p>`}
</section>`,
    ]);
  }
  return sections.sort(([a], [b]) => a < b ? -1 : 1).map(([, section]) => section);
}
