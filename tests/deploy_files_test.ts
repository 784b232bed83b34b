import assert from "node:assert/strict";
import { join } from "node:path/posix";
import config from "../deno.json" with { type: "json" };
import { usedImports } from "../deploy/used_imports.ts";
import { importsOf, sourceFiles } from "./architecture/imports.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, root));

Deno.test("the dashboard and the alerts of deploy/ name metrics that the specification has", async () => {
  const specification = await read("docs/specification.md");
  for (const file of ["deploy/grafana.json", "deploy/alerts.yml"]) {
    const text = await read(file);
    const names = [...text.matchAll(/\b(letterbox|process)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, "")
    );
    assert.ok(names.length > 5, file);
    for (const name of names) assert.ok(specification.includes(`\`${name}\``), `${file}: ${name}`);
  }
  JSON.parse(await read("deploy/grafana.json"));
});

Deno.test("the unit and the image start the service as deno task start does", async () => {
  assert.match(await read("deploy/letterbox.service"), /^ExecStart=\/usr\/bin\/deno task start$/m);
  const dockerfile = await read("deploy/Dockerfile");
  // What the image begins with starts /bin/deno.
  assert.match(dockerfile, /^FROM denoland\/deno:distroless-[^]*^CMD \["task", "start"\]$/m);
  assert.match(dockerfile, /^USER [1-9]\d*:[1-9]\d*$/m);
  // The release of Deno that CI runs.
  const [, version] = /deno@([\d.]+)/.exec(await read(".ci/run"))!;
  const used = [...dockerfile.matchAll(/denoland\/deno:(?:distroless-)?([\d.]+)/g)].map((
    [, each],
  ) => each);
  assert.deepEqual([...new Set(used)], [version]);
});

Deno.test("a container image has every file that the service imports or reads, and nothing else of the checkout", async () => {
  const lines = (await read("deploy/Dockerfile.dockerignore")).split("\n");
  assert.ok(lines.indexOf("*") < lines.findIndex((line) => line.startsWith("!")));
  const taken = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const isTaken = (path: string) =>
    taken.some((each) => path === each || path.startsWith(`${each}/`));
  const missing = new Set<string>();
  for (const [path, text] of await sourceFiles()) {
    const byUrl = [...text.matchAll(/\bnew URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g)];
    const used = [path, ...importsOf(path, text), ...byUrl.map(([, to]) => join(path, "..", to))];
    for (const each of used) if (!isTaken(each)) missing.add(`${path}: ${each}`);
  }
  assert.deepEqual([...missing], []);
  for (const secret of [".data", ".env", "backup", "deploy/letterbox.env", ".git", "tests"]) {
    assert.ok(!isTaken(secret), secret);
  }
});

Deno.test("a container image keeps every package that the service names, and none that only tests do", async () => {
  const text = [...(await sourceFiles()).values()].join("\n");
  const kept = Object.keys(usedImports(config.imports, text));
  const browser = ["preact", "@preact/signals", "@preact/signals-core", "uplot"];
  const service = ["hono", "zod", "mailauth/", "onnxruntime-web/wasm", "sucrase", "openid-client"];
  for (const name of [...browser, ...service]) assert.ok(kept.includes(name), name);
  for (const name of ["typescript", "playwright-core", "esbuild", "fast-check", "ajv"]) {
    assert.ok(name in config.imports && !kept.includes(name), name);
  }
});
