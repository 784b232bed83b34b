import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { browserCode, closure } from "../../../routes/dashboard/browser_code.ts";
import { readBrowserSources } from "../../../routes/dashboard/browser_sources.ts";

const shell = "<head><!-- modules --></head><link href={base}style.css>";
const sources = (files: Record<string, string>) => ({
  files: new Map(Object.entries({ "shell.html": shell, ...files })),
  packages: new Map([["preact", "npm/preact.js"], ["preact/jsx-runtime", "npm/jsx.js"]]),
});
const small = sources({
  "npm/preact.js": "export const h=1;",
  "npm/jsx.js": 'import{h}from"preact";export const jsx=h;',
  "main.tsx": 'import type { A } from "../domain/a.ts";\nimport { b } from "./parts/b.tsx";\n' +
    'export const open = () => import("./pages/late.tsx");\nexport const a: A = <p>{b}</p>;\n',
  "parts/b.tsx": 'import "./c.ts";\nexport const b: number = 1;\n',
  "parts/c.ts": "export const c = 1;\n",
  "pages/late.tsx": "export const late = 1;\n",
  "style.css": "p{}",
});

Deno.test("types and JSX are removed, and a file is served under a hash of all files", async () => {
  const { assets } = await browserCode(small);
  const [path, main] = [...assets].find(([path]) => path.endsWith("/main.tsx"))!;
  const code = new TextDecoder().decode(main.body);
  assert.match(path, /^\/assets\/[0-9a-f]{16}\/main\.tsx$/);
  assert.doesNotMatch(code, /domain\/a\.ts|: A|<p>/);
  assert.match(code, /from ["']preact\/jsx-runtime["']/);
  assert.equal(main.contentType, "text/javascript; charset=utf-8");
  assert.deepEqual(new Uint8Array(gunzipSync(main.gzipped)), main.body);
  assert.ok(!assets.keys().some((path) => path.endsWith("shell.html")));
  const changed = sources({ ...Object.fromEntries(small.files), "style.css": "p{color:red}" });
  assert.ok(!(await browserCode(changed)).assets.has(path), "another style has another path");
});

Deno.test("a page preloads each module that its first program imports, and no other", async () => {
  const { shell: page } = await browserCode(small);
  const preloads = (html: string) =>
    [...html.matchAll(/modulepreload" href="\/assets\/\w+\/([^"]+)"/g)].map(([, path]) => path);
  const first = ["main.tsx", "npm/jsx.js", "npm/preact.js", "parts/b.tsx", "parts/c.ts"];
  assert.deepEqual(preloads(page()).sort(), first);
  assert.deepEqual(preloads(page("late")).sort(), [...first, "pages/late.tsx"].sort());
  assert.equal(page("late", "late"), page("late", "none", "late"));
  assert.deepEqual(preloads(page("../main")).sort(), first, "an unknown page has no module");
});

Deno.test("the policy allows the import map of the page by its hash, and no other inline script", async () => {
  const { shell: page, policy } = await browserCode(small);
  const inline = [...page().matchAll(/<script(?![^>]*src=)[^>]*>(.*?)<\/script>/gs)];
  assert.equal(inline.length, 1);
  const hash = createHash("sha256").update(inline[0][1]).digest("base64");
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
  assert.doesNotMatch(policy, /unsafe/);
});

Deno.test("imports are found in code of every form", () => {
  const modules = new Map([
    ["a.js", 'import{x as y}from"./b.js";import*as z from\'./c.js\';export*from"./d.js"'],
    ["b.js", 'import "./e.js"\nexport { f } from "./f.js"\nconst text = "import {g} from g";'],
    ["c.js", 'export const from = "./g.js"; const load = () => import("./g.js");'],
    ...["d.js", "e.js", "f.js", "g.js"].map((path) => [path, ""] as const),
  ]);
  const found = closure(modules, new Map(), ["a.js"]);
  assert.deepEqual(found.sort(), ["a.js", "b.js", "c.js", "d.js", "e.js", "f.js"]);
});

Deno.test("the dashboard of this repository is made, and each of its imports has a file", async () => {
  const sources = await readBrowserSources();
  const { assets, shell: page } = await browserCode(sources);
  const base = /(\/assets\/\w+\/)main\.tsx/.exec(page())![1];
  for (const [path, { body, contentType }] of assets) {
    if (!contentType.startsWith("text/javascript")) continue;
    const code = new TextDecoder().decode(body);
    for (const [, name] of code.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)) {
      const wanted = new URL(name, `file://${path}`).pathname;
      assert.ok(assets.has(wanted), `${path} imports ${name}`);
    }
    assert.ok(!code.includes("sourceMappingURL"), path);
  }
  for (const path of sources.packages.values()) assert.ok(assets.has(base + path), path);
});
