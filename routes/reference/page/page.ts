import { html, raw } from "hono/html";
import type { Operation, ReferenceDocument } from "./document.ts";
import { errorSections } from "./error_sections.ts";
import { type Guide, guideSection, stepAnchor } from "./guide.ts";
import {
  contents,
  operationSection,
  operationsOf,
  type ShownOperation,
} from "./operation_section.ts";
import { type Html, line, prose } from "./prose.ts";
import { style } from "./style.ts";
import { table, Tables } from "./tables.ts";

/** The guide and the reference for people: the document as one page, without scripts and external files. */
export function referencePage(document: ReferenceDocument, guide: Guide): Html {
  const { info, servers, tags, paths, webhooks, components } = document;
  const tables = new Tables(components.schemas);
  const operations = operationsOf(paths);
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ routes: [{ operation }] }) =>
      operation.tags.includes(tag.name)
    ),
    events: Object.entries(webhooks).filter(([, { post }]) => post.tags.includes(tag.name)),
  }));
  const sections = groups.map(({ name, description, operations, events }) =>
    html`<h2 id="${anchor(name)}">${name}</h2><p>${description}.</p>${
      operations.map((each) => operationSection(each, tables))
    }${events.length > 0 ? eventSections(events, tables) : ""}`
  );
  const schemas = schemaSections(tables);
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${info.title} ${info.version}: reference</title>
        <style>${raw(style)}</style>
      </head>
      <body>
        <nav>
    <strong>${info.title} ${info.version}</strong>
    <p><a href="#guide">Guide</a></p>
    <ul>${guide.steps.map(({ title }) =>
      html`<li><a href="#${stepAnchor(title)}">${title}</a></li>`
    )}</ul>
    ${groups.map(({ name, operations, events }) =>
      html`
        <p><a href="#${anchor(name)}">${name}</a></p>
        <ul>${operations.map(operationLink)}${events.map(([name, { post }]) =>
          html`<li><a href="#${post.operationId}">${name}</a></li>`
        )}</ul>
      `
    )}
    <p><a href="#types">Types</a></p>
    <p><a href="#errors">Errors</a></p>
        </nav>
        <main>
    <h1>${info.title}</h1>
    ${guideSection(guide)}
    <h2 id="reference">Reference</h2>
    ${prose(info.description)}
    <p>Base address: <code>${servers[0].url}</code>. The same for machines:
    <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), <a href="/llms.txt">/llms.txt</a>.
    A field marked * is always present; in a request it is required.</p>
    <h2 id="credentials">Credentials</h2>
    ${credentials(components.securitySchemes)}
    ${sections}
    <h2 id="types">Types</h2><p>The named types of the tables above.</p>
    ${schemas}
    <h2 id="errors">Errors</h2><p>Sorted by HTTP status; each heading is an <code>error.code</code>.</p>
    ${errorSections(document)}
        </main>
      </body>
    </html>
  `;
}

function operationLink({ routes: [{ operation }] }: ShownOperation): Html {
  return html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`;
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
function eventSections(events: [string, { post: Operation }][], tables: Tables): Html {
  const [[, { post: any }]] = events;
  return html`${prose(any.description)}${tables.parameters(any.parameters ?? [])}
${
    events.map(([name, { post }]) =>
      html`<section id="${post.operationId}">
<h3>${name}</h3>
<p>${post.summary}.</p>
${contents(post.requestBody?.content ?? {}, tables)}
<pre>${(post.parameters ?? []).map((each) => `${each.name}: ${each.example}`).join("\n")}</pre>
</section>`
    )
  }`;
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

const anchor = (name: string) => `tag-${name.toLowerCase().replace(/\W+/g, "-")}`;
