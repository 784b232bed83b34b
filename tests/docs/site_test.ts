import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import generatorConfig from "../../site/generator/deno.json" with { type: "json" };
import { tags } from "../../routes/http/families.ts";
import { faultsOf } from "../../site/check_pages.ts";
import { writeDocumentPages } from "../../site/document_pages.ts";
import { groups, pages, referencePageOf } from "../../site/navigation.ts";
import { writeReferencePages } from "../../site/reference_pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => Deno.readTextFile(join(root, path));

/** Writes files into a folder of their own, and removes it afterwards. */
async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await body(folder);
  await Deno.remove(folder, { recursive: true });
}

async function documentsOf(folder: string): Promise<string[]> {
  const found = await Array.fromAsync(Deno.readDir(join(root, folder)));
  return found.filter(({ name }) => name.endsWith(".md")).map(({ name }) => join(folder, name));
}

Deno.test("every document stands once in the navigation of the site, on a page of its own", async () => {
  const shown = Object.values(groups).flatMap((group) => Object.values(group));
  assert.equal(new Set(shown).size, shown.length);
  assert.equal(new Set(Object.values(pages)).size, shown.length);
  const documents = [...await documentsOf("."), ...await documentsOf("docs")];
  assert.deepEqual(documents.filter((each) => !shown.includes(each)), []);
});

Deno.test("links between documents lead to pages of the site; what is no page is a link only with a repository", () =>
  inFolder(async (folder) => {
    await writeDocumentPages({ root, folder });
    let links = 0;
    for (const page of Object.values(pages)) {
      const text = (await Deno.readTextFile(join(folder, `${page}.md`))).replace(
        /^```[^]*?^```/gm,
        "",
      );
      for (const [, target] of text.matchAll(/\]\((\.[^)#\s]*)/g)) {
        links++;
        await Deno.stat(normalize(join(folder, dirname(page), target)));
      }
      assert.ok(!/\]\(\.\.\/(deploy|examples)/.test(text), page);
      // The generator takes these for a template, except in code that says otherwise.
      assert.ok(!text.replace(/<code v-pre>.*?<\/code>/g, "").includes("{{"), page);
    }
    assert.ok(links > 100, `${links} links`);
    await writeDocumentPages({ root, folder, repository: "https://forge.example/a/b" });
    const deploy = await Deno.readTextFile(join(folder, "deploy.md"));
    assert.ok(deploy.includes("(https://forge.example/a/b/blob/main/deploy/compose.yaml)"));
  }));

Deno.test("the reference of the site has a page for each group of routes, and every link of it an id", () =>
  inFolder(async (folder) => {
    await writeReferencePages(folder);
    const names = [
      ...Object.keys(tags).map(referencePageOf),
      "reference/types",
      "reference/errors",
    ];
    const texts = new Map<string, string>();
    for (const name of names) {
      texts.set(name.slice("reference/".length), await Deno.readTextFile(`${folder}/${name}.md`));
    }
    let links = 0;
    for (const [name, text] of texts) {
      for (const [, page, id] of text.matchAll(/ href="(?:\.\/([\w-]+)\.html)?#([^"]+)"/g)) {
        links++;
        assert.ok(texts.get(page ?? name)?.includes(` id="${id}"`), `${name}: ${page} ${id}`);
      }
    }
    assert.ok(links > 500, `${links} links`);
    // The outline and the search read the headings.
    assert.match(texts.get("emails")!, /^## List emails$/m);
  }));

Deno.test("a build of the site fails at a dead link, an unknown heading, an empty page, and what another host would be asked for", () =>
  inFolder(async (folder) => {
    const page = (body: string) => Deno.writeTextFile(`${folder}/index.html`, `<h1></h1>${body}`);
    await Deno.writeTextFile(`${folder}/a.html`, '<h1 id="here">A</h1>');
    await Deno.writeTextFile(`${folder}/a.css`, "p { color: red }");
    await page(
      '<link href="/base/a.css"><a href="/base/a.html#here"></a><a href="https://b.example/">',
    );
    assert.deepEqual(await faultsOf(folder, "/base/"), []);
    const wrong = [
      '<a href="/base/b.html">',
      '<a href="./a.html#there">',
      '<a href="/a.html">',
      '<script src="https://cdn.example/x.js"></script>',
      '<link rel="stylesheet" href="//cdn.example/x.css">',
    ];
    for (const body of wrong) {
      await page(body);
      assert.equal((await faultsOf(folder, "/base/")).length, 1, body);
    }
    await page("");
    await Deno.writeTextFile(`${folder}/b.html`, "an error");
    assert.deepEqual(await faultsOf(folder, "/base/"), ["b.html is empty"]);
    await Deno.remove(`${folder}/b.html`);
    await Deno.writeTextFile(`${folder}/a.css`, "@import url(https://cdn.example/x.css)");
    assert.equal((await faultsOf(folder, "/base/")).length, 1);
  }));

Deno.test("the generator of the site has a lock file of its own, and the service installs nothing of it", async () => {
  const lock = await read("site/generator/deno.lock");
  const { imports } = generatorConfig;
  for (const specifier of Object.values(imports)) {
    assert.match(specifier, /^npm:\w+@\d+\.\d+\.\d+$/);
    assert.ok(lock.includes(`"${specifier}"`), specifier);
  }
  assert.ok(!/https?:\/\//.test(lock));
  const own = [JSON.stringify(config.imports), await read("deno.lock")].join();
  for (const name of Object.keys(imports)) assert.ok(!own.includes(`npm:${name}@`), name);
});

Deno.test("the workflow of the site uses actions by their hash, the release of Deno that CI runs, and no right that it does not need", async () => {
  const text = await read(".github/workflows/site.yml");
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, each]) => each);
  assert.ok(used.length > 0);
  for (const each of used) assert.match(each, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const versionOf = (from: string) => /deno@([\d.]+)/.exec(from)?.[1];
  assert.equal(versionOf(text), versionOf(await read(".ci/run")));
  assert.match(text, /^permissions: \{\}$/m);
  const rights = [...text.matchAll(/^ {6}([\w-]+): (read|write)$/gm)].map(([, ...right]) =>
    right.join(" ")
  );
  assert.deepEqual(rights, ["contents read", "pages read", "pages write", "id-token write"]);
});
