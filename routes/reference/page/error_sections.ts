import { html } from "hono/html";
import type { ReferenceDocument } from "./document.ts";
import { type Html, json, line } from "./prose.ts";

interface ShownError {
  statuses: Set<string>;
  when: string;
  example: unknown;
}

/** A section for each error code that a route answers. */
export function errorSections({ paths }: ReferenceDocument): Html[] {
  const errors = new Map<string, ShownError>();
  const answers = Object.values(paths).flatMap((each) => Object.values(each))
    .flatMap(({ responses }) => Object.entries(responses));
  for (const [status, { description, content = {} }] of answers) {
    for (const { examples = {} } of Object.values(content)) {
      for (const [code, { value }] of Object.entries(examples)) {
        const shown = errors.get(code) ??
          { statuses: new Set(), when: meaningOf(code, description), example: value };
        errors.set(code, { ...shown, statuses: shown.statuses.add(status) });
      }
    }
  }
  const lowest = ({ statuses }: ShownError) => Math.min(...[...statuses].map(Number));
  return [...errors].sort(([, a], [, b]) => lowest(a) - lowest(b)).map(([code, error]) =>
    html`
      <section id="error-${code}">
        <h3>${code}</h3>
        <p><b>${[...error.statuses].sort().join(", ")}</b> ${line(error.when)}</p>
        <details><summary>Example</summary>${json(error.example)}</details>
      </section>
    `
  );
}

/** The text of a code: an answer's description has one paragraph for each code, beginning with the code. */
function meaningOf(code: string, description: string): string {
  const begin = `\`${code}\`: `;
  return description.split("\n\n").find((each) => each.startsWith(begin))?.slice(begin.length) ??
    "";
}
