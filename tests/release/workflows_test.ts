import assert from "node:assert/strict";
import { pythonTools } from "./python_tools.ts";

const folder = new URL("../../.github/workflows/", import.meta.url);

async function workflows(): Promise<[name: string, text: string][]> {
  const entries = (await Array.fromAsync(Deno.readDir(folder))).filter(({ name }) =>
    name.endsWith(".yml")
  );
  return await Promise.all(entries.map(async ({ name }): Promise<[string, string]> => [
    name,
    await Deno.readTextFile(new URL(name, folder)),
  ]));
}

Deno.test("workflows name each action by its commit, and its version in a comment", async () => {
  const all = await workflows();
  const loose = all.flatMap(([name, text]) =>
    [...text.matchAll(/\buses: *(.+)/g)].map(([, used]) => `${name}: ${used}`)
  ).filter((each) => !/: (\.\/\S+|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(each));
  assert.ok(all.length >= 2);
  assert.deepEqual(loose, []);
});

Deno.test("no workflow has a stored secret, and each starts with the right to read or with none", async () => {
  for (const [name, text] of await workflows()) {
    assert.doesNotMatch(text, /\bsecrets\b/, name);
    assert.match(text, /^permissions:( \{\}|\n {2}contents: read)\n(?! )/m, name);
  }
});

Deno.test("each job of a release may do one thing: read, publish one package, push the image or write the release", async () => {
  const text = await Deno.readTextFile(new URL("release.yml", folder));
  const jobs = [
    ...text.slice(text.indexOf("\njobs:")).matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm),
  ];
  const rights = jobs.map(([, name, body]) => {
    const [, list = "none"] = /^ {4}permissions:\n((?: {6}.*\n)+)/m.exec(body) ?? [];
    return [name, list.trim().split(/\n\s*/)];
  });
  assert.deepEqual(Object.fromEntries(rights), {
    ok: ["contents: read"],
    packages: ["contents: read"],
    npm: ["id-token: write"],
    pypi: ["id-token: write"],
    image: ["contents: read", "packages: write"],
    release: ["contents: write"],
  });
});

Deno.test("a release uploads with the twine that checked its packages", async () => {
  const text = await Deno.readTextFile(new URL("release.yml", folder));
  const [, twine] = /pip install (twine==\S+)/.exec(text)!;
  assert.ok(pythonTools.includes(twine), twine);
});
