import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bounded } from "../eventually.ts";
import { inboundToken } from "../service.ts";
import { hasPython, type ServedService, serveService } from "./served.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The program that README.md shows in a language, under the heading of the SDKs. */
async function shown(language: "ts" | "python"): Promise<string> {
  const readme = await Deno.readTextFile(`${root}README.md`);
  const [, section] = /\n### With TypeScript or Python\n(.*?)\n## /s.exec(readme)!;
  const [, program] = new RegExp("```" + language + "\n(.*?)```", "s").exec(section)!;
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  assert.ok(lines.length <= 10, `${lines.length} lines`);
  return program;
}

/** The program with the service and the key of the test, after definitions of what it uses from elsewhere. */
function filledIn(program: string, { base, owner }: ServedService, before: string): string {
  const filled = program.replace("http://localhost:8000", base).replace("lbx_...", owner.key);
  assert.ok(filled.includes(base) && filled.includes(owner.key));
  return `${before}\n${filled}`;
}

async function printed(served: ServedService, command: string, args: string[], env = {}) {
  const running = new Deno.Command(command, { args, env, cwd: root, stdin: "null" }).output();
  const { stdout, stderr } = await bounded(command, running, served.test.log, 60_000);
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

const text =
  "From: no-reply@shop.example\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913.\\r\\n";

Deno.test("the TypeScript program of README.md signs up with a code, in ten lines", async () => {
  await using served = await serveService();
  const program = (await shown("ts")).replace(
    '"letterbox-sdk"',
    JSON.stringify(new URL("../../sdk/typescript/src/index.ts", import.meta.url).href),
  );
  const signUp = `async function signUp(to: string) {
  await new Promise((done) => setTimeout(done, 200)); // the service's clock goes in steps of 50 ms
  await (await fetch("${served.base}/inbound/raw", { method: "POST", body: "${text}", headers: {
    authorization: "Bearer ${inboundToken}", "content-type": "message/rfc822",
    "x-envelope-from": "no-reply@shop.example", "x-envelope-to": to } })).body?.cancel();
}`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, filledIn(program, served, signUp));
  const args = ["run", "-A", "--no-config", "--no-check", "-q", file];
  assert.equal(await printed(served, Deno.execPath(), args, { NO_COLOR: "1" }), "482913\n");
  await Deno.remove(file);
});

Deno.test({
  name: "the Python program of README.md signs up with a code, in ten lines",
  ignore: !hasPython(),
  async fn() {
    await using served = await serveService();
    const signUp = `import time, urllib.request
def sign_up(to):
    time.sleep(0.2)
    urllib.request.urlopen(urllib.request.Request("${served.base}/inbound/raw", data=b"${text}", headers={
        "authorization": "Bearer ${inboundToken}", "content-type": "message/rfc822",
        "x-envelope-from": "no-reply@shop.example", "x-envelope-to": to})).read()`;
    const program = filledIn(await shown("python"), served, signUp);
    const env = { PYTHONPATH: `${root}sdk/python`, PYTHONDONTWRITEBYTECODE: "1" };
    assert.equal(await printed(served, "python3", ["-c", program], env), "482913\n");
  },
});

Deno.test("both packages carry the licence of the project", async () => {
  const licence = (folder: string) =>
    Deno.readTextFile(new URL(`../../${folder}LICENSE`, import.meta.url));
  for (const folder of ["sdk/typescript/", "sdk/python/"]) {
    assert.equal(await licence(folder), await licence(""), folder);
  }
});
