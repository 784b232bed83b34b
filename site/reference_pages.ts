import { openApiDocument } from "../routes/reference/openapi.ts";
import type { ReferenceDocument } from "../routes/reference/page/document.ts";
import { referenceParts } from "../routes/reference/page/parts.ts";
import { served } from "../routes/app.ts";
import { version } from "../assemble.ts";
import { referencePageOf } from "./navigation.ts";

/** Writes the reference: its beginning, a page for each group of routes, the types and the errors. */
export async function writeReferencePages(folder: string): Promise<void> {
  const document = openApiDocument(served, {
    baseUrl: "http://localhost:8000",
    version,
  }) as unknown as ReferenceDocument;
  const { credentials, groups, types, errors } = referenceParts(document);
  const begin =
    `${document.info.description}\n\nA field marked * is always present; in a request it is required.`;
  const pages: [name: string, title: string, text: string][] = [
    ["reference/index", "Reference", `${begin}\n\n${await markdownOf([credentials])}`],
    ["reference/types", "Types", await markdownOf(types)],
    ["reference/errors", "Errors", await markdownOf(errors)],
  ];
  for (const { name, description, sections } of groups) {
    pages.push([referencePageOf(name), name, `${description}.\n\n${await markdownOf(sections)}`]);
  }
  const pageOfId = new Map(
    pages.flatMap(([page, , text]) =>
      [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]): [string, string] => [id, page])
    ),
  );
  await Deno.mkdir(`${folder}/reference`, { recursive: true });
  for (const [page, title, text] of pages) {
    const linked = text.replace(/ href="#([^"]+)"/g, (whole, id) => {
      const to = pageOfId.get(id);
      return to === page ? whole : ` href="./${to?.slice("reference/".length)}.html#${id}"`;
    });
    await Deno.writeTextFile(`${folder}/${page}.md`, `# ${title}\n\n${linked}\n`);
  }
}

/** Sections as Markdown: their headings, for the outline and the search, and the rest as HTML in one line. */
async function markdownOf(sections: readonly unknown[]): Promise<string> {
  const texts = await Promise.all(sections.map(async (section) => String(await section)));
  return texts.join("").split(/(?=<section)/).map((section) => {
    const [, attributes = "", title, rest] =
      /^<section([^>]*)>\s*<h3>([^<]*)<\/h3>([^]*)<\/section>\s*$/.exec(section) ??
        [, "", undefined, section];
    const heading = title === undefined ? "" : `## ${title}\n\n`;
    return `${heading}<div v-pre class="reference"${attributes}>${inOneLine(rest!)}</div>`;
  }).join("\n\n");
}

/** Markdown ends HTML at an empty line; in `pre` line ends count. */
const inOneLine = (html: string) =>
  html.split(/(<pre[^]*?<\/pre>)/).map((piece) =>
    piece.replaceAll("\n", piece.startsWith("<pre") ? "&#10;" : " ")
  ).join("");
