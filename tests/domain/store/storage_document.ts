// `deno task storage` writes docs/storage.md; a test fails if the file is stale.
import { command, runCommandLine } from "../../../commands/command_line.ts";
import { testService } from "../../service.ts";
import { everythingParts, oneOfEverything } from "./one_of_everything.ts";
import { rareRows } from "./rare_rows.ts";

export interface ExampleRow {
  value: unknown;
  /** When the store removes the row; absent: never by itself. */
  expires?: string;
}

interface Table {
  name: string;
  /** The function of keys.ts that makes the key of a row. */
  row: string;
  key: string;
  meaning: string;
}

const root = new URL("../../../", import.meta.url);
export const storageFile = new URL("docs/storage.md", root);
const read = (path: string) => Deno.readTextFile(new URL(path, root));

/** The tables in the order of keys.ts: of each the function with the longest key, and its comment. */
async function readTables(): Promise<Table[]> {
  const main = await read("domain/store/keys.ts");
  const parts = [...main.matchAll(/^export \* from "\.\/(tables\/\w+\.ts)"/gm)];
  const texts = [main, ...await Promise.all(parts.map(([, path]) => read(`domain/store/${path}`)))];
  const tables = new Map<string, Table & { length: number }>();
  const functions = texts.join("\n").matchAll(
    /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?export const (\w+) = \([^]*?\): Key => \[([^]*?)\];\n/g,
  );
  for (const [, comment = "", row, body] of functions) {
    const [table, ...key] = body.split(",").map((part) => part.trim()).filter(Boolean);
    // The tables of a former version have no name here.
    if (!table.startsWith('"')) continue;
    const name = JSON.parse(table);
    if ((tables.get(name)?.length ?? -1) >= key.length) continue;
    const meaning = comment.replace(/\s*\n \* /g, " ").trim();
    const shown = key.map((part) => part.replaceAll('"', "")).join(" ");
    tables.set(name, { name, row, key: shown, meaning, length: key.length });
  }
  return [...tables.values()];
}

async function sources(folder: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${name}`;
    if (path === "domain/store/keys.ts" || path === "domain/store/tables") continue;
    if (isDirectory) found.push(...await sources(`${path}/`));
    else if (name.endsWith(".ts")) found.push([path, await read(path)]);
  }
  return found;
}

/** The folders whose files write rows of the table; else, if a helper writes them, those that name its key. */
function ownersOf({ row }: Table, files: [string, string][]): string[] {
  const named = new RegExp(`\\bkeys\\.${row}\\b`);
  const written = new RegExp(
    `\\b(?:set|add)\\(\\s*keys\\.${row}\\b|\\bkey: keys\\.${row}\\([^}]*\\bvalue\\b`,
  );
  const users = files.filter(([, text]) => named.test(text));
  const writers = users.filter(([, text]) => {
    const names = text.matchAll(new RegExp(`const (\\w+) =\\s*keys\\.${row}\\(`, "g"));
    return written.test(text) ||
      [...names].some(([, name]) => new RegExp(`\\bset\\([^,]*\\b${name}\\b`).test(text));
  });
  const owners = (writers.length > 0 ? writers : users).map(([path]) => path);
  return [...new Set(owners.map((path) => path.slice(0, path.lastIndexOf("/") + 1)))].sort();
}

/** A value as text that is the same in every run: without ids, hashes, secrets and bytes. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return Number(part);
    return part instanceof Uint8Array ? "<bytes>" : part;
  }) ?? String(value);
  return text
    .replace(/-----BEGIN[^"]*|MII[A-Za-z0-9+/=]{99,}/g, "<key>")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/evt_[A-Za-z0-9_-]{27}/g, "<id>")
    .replace(/whsec_[A-Za-z0-9+/=]+/g, "whsec_<secret>")
    .replace(/lbx_\w+\**/g, "lbx_<prefix>")
    .replace(/\$argon2id[^"]*/g, "$argon2id$...")
    .replace(/user\d+@/g, "user@")
    .replace(/(?<![0-9a-f])(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}(?![0-9a-f])/g, "<hash>");
}

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const;
function span(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? units[2];
  const count = Math.round(ms / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** An example of every table that a whole service fills: the plainest row. */
async function recordedRows(): Promise<Map<string, ExampleRow>> {
  const parts = everythingParts();
  await using test = await testService({ ...parts.options, instances: 1 });
  const begunAt = test.clock.now();
  await oneOfEverything(test, parts, new Map());
  const rows = new Map<string, string[]>();
  const expiring = new Map<string, { ms: number; rows: Set<string> }>();
  for await (const { key: [table, at], value } of test.kv.list({ prefix: [] })) {
    const texts = rows.get(String(table)) ?? [];
    rows.set(String(table), [...texts, shown(value instanceof Deno.KvU64 ? value.value : value)]);
    if (table !== "expiring") continue;
    for (const key of value as string[][]) {
      const known = expiring.get(key[0]) ?? { ms: 0, rows: new Set<string>() };
      known.ms = Math.max(known.ms, Number(at) - begunAt);
      expiring.set(key[0], { ...known, rows: known.rows.add(key.join()) });
    }
  }
  const examples = new Map<string, ExampleRow>();
  for (const [table, texts] of rows) {
    const [value] = texts.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const gone = expiring.get(table);
    const which = gone && gone.rows.size < texts.length ? "some rows, " : "";
    examples.set(table, { value, expires: gone && `${which}${span(gone.ms)}` });
  }
  return examples;
}

const longest = 240;

export async function storageDocument(): Promise<string> {
  const tables = await readTables();
  const files = [
    ...await sources("domain/"),
    ...await sources("adapters/"),
    ...await sources("workers/"),
  ];
  const recorded = await recordedRows();
  const unknown = Object.keys(rareRows).filter((name) =>
    recorded.has(name) || !tables.some((table) => table.name === name)
  );
  if (unknown.length > 0) throw new Error(`rare_rows.ts: recorded, or no table: ${unknown}`);
  const entries = tables.map((table) => {
    const example = recorded.get(table.name) ??
      { ...rareRows[table.name], value: shown(rareRows[table.name]?.value) };
    if (example.value === undefined) throw new Error(`rare_rows.ts lacks ${table.name}`);
    if (table.meaning === "") throw new Error(`keys.ts: ${table.row} has no comment`);
    const value = String(example.value);
    const owners = ownersOf(table, files).map((path) => `\`${path}\``).join(", ");
    return [
      `### ${table.name}`,
      table.meaning,
      `- key: \`${[table.name, table.key].filter(Boolean).join(" ")}\``,
      `- example: \`${value.length > longest ? `${value.slice(0, longest)}...` : value}\``,
      `- expires: ${example.expires ? `${example.expires} after the write` : "never by itself"}`,
      `- written by: ${owners}`,
    ].join("\n").replace("\n", "\n\n").replace("\n- key", "\n\n- key");
  });
  return `${head}\n${entries.join("\n\n")}\n`;
}

const head = `# The store

<!-- written by \`deno task storage\` from domain/store/keys.ts: do not edit -->

Every table of the database, for people who work on the code or look into a store. It is no
interface: rows change with a release, and \`domain/store/migrations.ts\` brings older ones forward.

A key is the name of the table and the parts after it. The comments are those of
\`domain/store/keys.ts\` and \`domain/store/tables/\`. The examples are rows that a whole service
wrote in a test, the shortest of each table: times are milliseconds since 1970; ids, hashes and
secrets are left out. A row with an expiry is removed by itself. What else bounds the number of rows
is in [security.md](security.md#what-bounds-the-rows).
`;

if (import.meta.main) {
  const program = command({
    description: "Writes docs/storage.md",
    run: async () => {
      await Deno.writeTextFile(storageFile, await storageDocument());
      Deno.exit(0);
    },
  });
  await runCommandLine("deno task storage", program, Deno.args);
}
