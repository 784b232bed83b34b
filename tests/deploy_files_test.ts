import assert from "node:assert/strict";

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
  assert.match(dockerfile, /^CMD \["deno", "task", "start"\]$/m);
  assert.match(dockerfile, /^USER deno$/m);
  // The release of Deno that CI runs.
  const [, version] = /deno@([\d.]+)/.exec(await read(".ci/run"))!;
  const used = [...dockerfile.matchAll(/denoland\/deno:([\d.]+)/g)].map(([, each]) => each);
  assert.deepEqual([...new Set(used)], [version]);
});

Deno.test("a container image takes no store, no export and no secret of the checkout", async () => {
  const text = await read("deploy/Dockerfile.dockerignore");
  const ignored = new Set(text.split("\n"));
  const kept = [".data", "backup", ".env", "deploy/letterbox.env"];
  assert.deepEqual(kept.filter((path) => !ignored.has(path)), []);
});
