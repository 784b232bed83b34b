import { html, raw } from "hono/html";
import type { ReferenceDocument } from "./document.ts";
import { type Guide, guideSection, stepAnchor } from "./guide.ts";
import type { ShownOperation } from "./operation_section.ts";
import { referenceParts } from "./parts.ts";
import { type Html, prose } from "./prose.ts";
import { style } from "./style.ts";

/** The guide and the reference for people: the document as one page, without scripts and external files. */
export function referencePage(document: ReferenceDocument, guide: Guide): Html {
  const { info, servers } = document;
  const { credentials, groups, types, errors } = referenceParts(document);
  const sections = groups.map(({ name, description, sections }) =>
    html`<h2 id="${anchor(name)}">${name}</h2><p>${description}.</p>${sections}`
  );
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
    ${credentials}
    ${sections}
    <h2 id="types">Types</h2><p>The named types of the tables above.</p>
    ${types}
    <h2 id="errors">Errors</h2><p>Sorted by HTTP status; each heading is an <code>error.code</code>.</p>
    ${errors}
        </main>
      </body>
    </html>
  `;
}

function operationLink({ routes: [{ operation }] }: ShownOperation): Html {
  return html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`;
}

const anchor = (name: string) => `tag-${name.toLowerCase().replace(/\W+/g, "-")}`;
