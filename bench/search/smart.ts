import { join } from "node:path";
import { UsageError } from "../../commands/command_line.ts";

/** A test collection: documents, queries, and the documents that answer each query. */
export interface Judged {
  docs: { id: string; title: string; text: string; citedWith: Map<string, number> }[];
  queries: { id: string; text: string; relevant: Set<string> }[];
}

/**
 * Reads the files `docs`, `queries` and `qrels` of a folder. The first two are in SMART format: `.I id`, then the
 * fields `.T`, `.A`, `.W` and `.X`; each line of `.X` is a document and how often it is cited together with this one. A
 * line of `qrels` begins with a query and a document. Queries without a document are left out.
 *
 * @throws UsageError if a file is missing or has no such content.
 */
export function readCollection(folder: string): Judged {
  const relevant = new Map<string, Set<string>>();
  for (const line of read(folder, "qrels").split("\n")) {
    const [query, doc] = line.trim().split(/\s+/);
    if (!doc) continue;
    if (!relevant.has(query)) relevant.set(query, new Set());
    relevant.get(query)!.add(doc);
  }
  const docs = records(folder, "docs").map(({ id, fields }) => ({
    id,
    title: fields.T ?? "",
    text: [fields.A, fields.W].filter(Boolean).join("\n"),
    citedWith: new Map(
      [...(fields.X ?? "").matchAll(/^\s*(\d+)\s+(\d+)/gm)].map(([, doc, times]) => [doc, +times]),
    ),
  }));
  const queries = records(folder, "queries").flatMap(({ id, fields }) =>
    relevant.has(id)
      ? [{ id, text: [fields.T, fields.W].filter(Boolean).join("\n"), relevant: relevant.get(id)! }]
      : []
  );
  if (docs.length > 0 && queries.length > 0) return { docs, queries };
  throw new UsageError(`${folder} has no documents and judged queries in SMART format`);
}

const field = /^\.([A-Z])[ \t]*\n([\s\S]*?)(?=^\.[A-Z][ \t]*$|(?![\s\S]))/gm;

function records(folder: string, name: string) {
  return read(folder, name).split(/^\.I\s+/m).slice(1).map((record) => {
    const id = /^\d+/.exec(record)![0];
    const fields: Record<string, string> = {};
    for (const [, name, text] of record.matchAll(field)) {
      fields[name] = `${fields[name] ?? ""}\n${text}`.trim();
    }
    return { id, fields };
  });
}

function read(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    return Deno.readTextFileSync(path);
  } catch {
    throw new UsageError(`${path} cannot be read: a collection has docs, queries and qrels`);
  }
}
