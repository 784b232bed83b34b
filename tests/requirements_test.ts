import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { requirements } from "./requirements.ts";

/** One `// SPEC: id, id` comment, and the statement below it. */
interface Citation {
  at: string;
  ids: string[];
  above: string;
}

/** A call that registers a test: Deno.test, a step, or a file's own wrapper of one of these. */
const test = /^(Deno\.test|(await )?t\.step|step|test)\(/;

/** Every citation of a test file. Comment lines that follow each other are one citation. */
function citationsOf(file: string, text: string): Citation[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, n) => {
    if (!/^\/\/\s*spec\b/i.test(line)) return [];
    const above = lines.slice(n + 1).find((each) => !each.startsWith("//")) ?? "";
    const ids = line.match(/^\/\/ SPEC: ([a-z0-9_.]+(?:, [a-z0-9_.]+)*)$/)?.[1].split(", ") ?? [];
    return [{ at: `${file}:${n + 1}`, ids, above }];
  });
}

async function testFiles(folder: URL): Promise<URL[]> {
  const found: URL[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await testFiles(new URL(`${name}/`, folder)));
    else if (/_(test|suite)\.ts$/.test(name)) found.push(new URL(name, folder));
  }
  return found.sort();
}

async function allCitations(): Promise<Citation[]> {
  const root = new URL("./", import.meta.url);
  const files = await testFiles(root);
  const read = files.map(async (file) =>
    citationsOf(
      fileURLToPath(file).slice(fileURLToPath(root).length).replaceAll("\\", "/"),
      await Deno.readTextFile(file),
    )
  );
  return (await Promise.all(read)).flat();
}

Deno.test("each row is cited by a test", async () => {
  const cited = new Set((await allCitations()).flatMap(({ ids }) => ids));
  assert.deepEqual(Object.keys(requirements).filter((id) => !cited.has(id)), []);
});

Deno.test("each citation stands directly above a test, is well formed and names known rows once", async () => {
  const wrong = (await allCitations()).flatMap(({ at, ids, above }) => [
    ...(ids.length === 0 ? [`${at} is not of the form "// SPEC: id, id"`] : []),
    ...(test.test(above) ? [] : [`${at} stands above no test: ${above.slice(0, 60)}`]),
    ...ids.filter((id) => !(id in requirements)).map((id) => `${at} cites ${id}, which is no row`),
    ...(new Set(ids).size === ids.length ? [] : [`${at} cites a row twice`]),
  ]);
  assert.deepEqual(wrong, []);
});

Deno.test("a row has an id of dotted words, a section and a behaviour of its own", () => {
  const behaviours = Object.values(requirements).map(({ section, behaviour }) =>
    `${section}: ${behaviour}`
  );
  assert.equal(new Set(behaviours).size, behaviours.length);
  for (const [id, { section, behaviour }] of Object.entries(requirements)) {
    assert.match(id, /^[a-z0-9_]+(\.[a-z0-9_]+)+$/);
    assert.ok(section.length > 0 && behaviour.length > 0, id);
  }
});

Deno.test("a row's section is a heading of docs/specification.md", async () => {
  const specification = await Deno.readTextFile(
    new URL("../docs/specification.md", import.meta.url),
  );
  const headings = new Set(specification.match(/(?<=^#{2,3} ).+$/gm));
  const sections = new Set(Object.values(requirements).map(({ section }) => section));
  assert.deepEqual([...sections].filter((each) => !headings.has(each)), []);
});

Deno.test("citationsOf() sees a comment above code, a misspelled one and one at a file's end", () => {
  const text = [
    "// SPEC: a.b, c.d",
    'Deno.test("x", () => {});',
    "  // SPEC: e.f",
    "  // more words",
    "  step(",
    "// SPEC a.b",
    "const x = 1;",
    "// SPEC: g.h",
  ].join("\n");
  assert.deepEqual(citationsOf("f.ts", text), [
    { at: "f.ts:1", ids: ["a.b", "c.d"], above: 'Deno.test("x", () => {});' },
    { at: "f.ts:3", ids: ["e.f"], above: "step(" },
    { at: "f.ts:6", ids: [], above: "const x = 1;" },
    { at: "f.ts:8", ids: ["g.h"], above: "" },
  ]);
});
