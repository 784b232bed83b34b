import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What the page reads of the OpenAPI document. */
export interface ReferenceDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { description?: string; content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

/** The reference for people: the whole document as one page, without scripts and without anything from elsewhere. */
export function referencePage(document: ReferenceDocument): Html {
  const { info, servers, tags, paths } = document;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation }))
  );
  const groups = tags.map((tag) => ({
    tag,
    routes: routes.filter(({ operation }) => operation.tags.includes(tag.name)),
  })).filter((group) => group.routes.length > 0);
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
    ${groups.map(({ tag, routes }) =>
      html`
        <p><a href="#${anchor(tag.name)}">${tag.name}</a></p>
        <ul>${routes.map(({ operation }) =>
          html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`
        )}</ul>
      `
    )}
        </nav>
        <main>
    <h1>${info.title}</h1>
    <p>${prose(info.description)}</p>
    <p>Base address: <code>${servers[0].url}</code>. The same for machines:
    <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), <a href="/llms.txt">/llms.txt</a>.</p>
    ${groups.map(({ tag, routes }) =>
      html`<h2 id="${anchor(tag.name)}">${tag.name}</h2><p>${tag.description}.</p>${
        routes.map(section)
      }`
    )}
        </main>
      </body>
    </html>
  `;
}

function section({ path, method, operation }: {
  path: string;
  method: string;
  operation: Operation;
}): Html {
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const credentials = operation.security.flatMap((each) => Object.keys(each));
  return html`<section id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="route"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
<p>${prose(operation.description)}</p>
<p class="quiet">Credential: ${credentials.length > 0 ? credentials.join(" or ") : "none"}</p>
${
    operation.parameters
      ? html`<table><tr><th>parameter</th><th>in</th><th>type</th><th>meaning</th></tr>${
        operation.parameters.map((each) =>
          row(each.name, each.required, each.schema, each.description, each.in)
        )
      }</table>`
      : ""
  }
${
    body
      ? html`<h4>Body <code>${body[0]}</code></h4>${
        operation.requestBody?.description ? html`<p>${operation.requestBody.description}</p>` : ""
      }${fields(body[1].schema)}${example(body[1])}`
      : ""
  }
<h4>Answers</h4>
${
    Object.entries(operation.responses).map(([status, answer]) => {
      const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
      return html`<details><summary><b>${status}</b> ${prose(answer.description)}</summary>${
        content
          ? html`<p class="quiet"><code>${type}</code></p>${fields(content.schema)}${
            example(content)
          }`
          : ""
      }</details>`;
    })
  }
</section>`;
}

function fields(schema: Schema): Html | "" {
  const inner = schema.properties?.data ?? schema;
  const shown = inner.type === "array" ? inner.items ?? {} : inner;
  const properties = Object.entries(shown.properties ?? {});
  if (properties.length === 0) return "";
  return html`<table><tr><th>field</th><th>type</th><th>meaning</th></tr>${
    properties.map(([name, each]) =>
      row(name, shown.required?.includes(name) ?? false, each, each.description)
    )
  }</table>`;
}

function row(
  name: string,
  required: boolean,
  schema: Schema,
  description = "",
  place?: string,
): Html {
  return html`<tr><td><code>${name}</code>${
    required ? html`<sup title="required">*</sup>` : ""
  }</td>${place ? html`<td>${place}</td>` : ""}<td>${typeOf(schema)}</td><td>${
    prose(description)
  }</td></tr>`;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `array of ${typeOf(schema.items ?? {})}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

function example(content: Content): Html | "" {
  const values = content.example === undefined
    ? Object.values(content.examples ?? {}).map((each) => each.value)
    : [content.example];
  if (values.length === 0) return "";
  return html`${values.map((value) => html`<pre>${JSON.stringify(value, null, 2)}</pre>`)}`;
}

/** Text in which \`code\` is marked and an empty line begins a paragraph. */
function prose(text: string): Html {
  return html`${
    text.split("\n\n").map((paragraph, i) =>
      html`${i > 0 ? raw("<br>") : ""}${
        paragraph.split("`").map((piece, n) => n % 2 === 1 ? html`<code>${piece}</code>` : piece)
      }`
    )
  }`;
}

const anchor = (name: string) => name.toLowerCase().replace(/\W+/g, "-");

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; box-sizing: border-box; border-right: 1px solid #8884; font-size: .85rem; }
nav ul { list-style: none; padding: 0 0 0 .75rem; margin: 0; } nav p { margin: .75rem 0 0; font-weight: 600; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; } a { color: inherit; }
section { border-top: 1px solid #8884; padding: .5rem 0 1rem; } h3 { margin-bottom: 0; }
.route { margin: .25rem 0; } .route b { font-size: .8rem; padding: .1rem .4rem; border-radius: .25rem; background: #8883; }
.quiet { opacity: .7; font-size: .85rem; } code, pre { font: .85em ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; background: #8882; border-radius: .35rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; } th { text-align: left; font-weight: 600; }
td, th { border-bottom: 1px solid #8883; padding: .25rem .75rem .25rem 0; vertical-align: top; }
summary { cursor: pointer; } details { margin: .25rem 0; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } }
`;
