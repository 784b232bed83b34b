import { html } from "hono/html";
import type { Content, Operation } from "./document.ts";
import { type Html, json, prose } from "./prose.ts";
import type { Tables } from "./tables.ts";

/** One operation with the routes that serve it: agents and the dashboard can each have one. */
export interface ShownOperation {
  routes: { method: string; path: string; operation: Operation }[];
}

/** The operations of a document, each once; the dashboard's route joins that of agents. */
export function operationsOf(paths: Record<string, Record<string, Operation>>): ShownOperation[] {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation }))
  );
  const byOperation = Map.groupBy(routes, ({ operation }) => withoutFamily(operation.operationId));
  return [...byOperation.values()].map((routes) => ({ routes }));
}

/** `listMailboxes` for `dashboardListMailboxes`, the same operation with a session. */
function withoutFamily(operationId: string): string {
  const name = operationId.replace(/^dashboard/, "");
  return name[0].toLowerCase() + name.slice(1);
}

export function operationSection({ routes }: ShownOperation, tables: Tables): Html {
  const { operation } = routes[0];
  const { parameters, requestBody } = operation;
  const answers = Object.entries(operation.responses);
  return html`<section>
<h3>${operation.summary}</h3>
${routes.map(routeLine)}
${prose(operation.description)}
${parameters ? tables.parameters(parameters) : ""}
${requestBody ? html`<h4>Body</h4>${prose(requestBody.description ?? "")}` : ""}
${requestBody ? contents(requestBody.content, tables) : ""}
${
    answers.filter(([, answer]) => !isFailure(answer.content)).map(([status, answer]) =>
      html`<details><summary><b>${status}</b> ${answer.description}</summary>${
        contents(answer.content ?? {}, tables)
      }</details>`
    )
  }
${failures(routes.map((each) => each.operation))}
</section>`;
}

function routeLine({ method, path, operation }: ShownOperation["routes"][number]): Html {
  const credentials = operation.security.flatMap((each) => Object.keys(each)).join(" or ");
  return html`
    <p class="route"
      id="${operation.operationId}"><b>${method
        .toUpperCase()}</b> <code>${path}</code> <span class="quiet">${credentials ||
        "no credential"}</span></p>
  `;
}

/** The fields and the example of a body, of its first content type. */
export function contents(content: Record<string, Content>, tables: Tables): Html | "" {
  const [first] = Object.entries(content);
  if (!first) return "";
  const [type, { schema, example }] = first;
  return html`<p class="quiet"><code>${type}</code></p>${tables.fields(schema)}${
    example === undefined ? "" : json(example)
  }`;
}

/** Whether an answer is a failure: only failures have `examples`. */
function isFailure(content: Record<string, Content> = {}): boolean {
  return Object.values(content).some((each) => each.examples !== undefined);
}

/** The codes that the routes answer, by status. */
function failures(operations: Operation[]): Html | "" {
  const codes = new Map<string, Set<string>>();
  for (const { responses } of operations) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (
        const code of Object.values(content).flatMap((each) => Object.keys(each.examples ?? {}))
      ) {
        codes.set(status, (codes.get(status) ?? new Set()).add(code));
      }
    }
  }
  if (codes.size === 0) return "";
  return html`<p class="failures">Failures: ${
    [...codes].sort().map(([status, of]) =>
      html`
        <span><b>${status}</b> ${[...of].map((code) =>
          html`
            <a href="#error-${code}">${code}</a>
          `
        )}</span>
      `
    )
  }</p>`;
}
