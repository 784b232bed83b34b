import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { message } from "../service.ts";
import { freePort } from "../service_process.ts";
import { runHere } from "./run_here.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function run(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runHere(args, {
    INBOUND_TOKENS: "inbound-token-of-no-service",
    LETTERBOX_API_KEY: "key",
    ...env,
  });
  return { code, text: (stdout + stderr).trim() };
}

Deno.test("import and export without a service fail at once, with one line", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${dir}/one.eml`, message());
    const url = `http://127.0.0.1:${freePort()}`;
    const box = "agent@agents.test";
    for (
      const args of [
        ["import", `${dir}/one.eml`, "--to", box, "--url", url],
        ["export", "--mailbox", box, "--out", `${dir}/out`, "--url", url],
      ]
    ) {
      const { code, text } = await run(args);
      assert.equal(code, 1);
      assert.equal(text, `${url} does not answer: is the service running there?`);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("no document shows a key on a command line: others on the machine could read it", async () => {
  const files = ["README.md", "docs/commands.md", "docs/operations.md"];
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(`${root}/${file}`)));
  const exports = [...texts.join("\n").matchAll(/^.*deno task export .*--mailbox.*$/gm)].map((
    [line],
  ) => line)
    .filter((line) => !line.startsWith("|"));
  assert.ok(exports.length > 0);
  for (const line of exports) {
    assert.match(line, /^LETTERBOX_API_KEY=/);
    assert.doesNotMatch(line, /--key/);
  }
});

Deno.test("a reindex of a store that does not exist is refused, and makes none", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const path = `${dir}/wrong/letterbox.sqlite`;
    const { code, text } = await run(["reindex"], { KV_PATH: path });
    assert.equal(text, `KV_PATH: there is no store at ${path}`);
    assert.equal(code, 1);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dir)), []);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
