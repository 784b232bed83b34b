import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort } from "../service_process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function dev(folder: string, port: number, ...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "main.ts", "dev", ...args],
    cwd: root,
    env: {
      PORT: String(port),
      KV_PATH: `${folder}/kv.sqlite`,
      SMTP_LISTEN_PORT: "0",
      EMBEDDINGS: "off",
      SMTP_SUBMISSION_PORT: "0",
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** The output of a running service until the inbound token, the last row of the banner. */
async function bannerOf(service: Deno.ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of service.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/inbound token +\S+\n[^]*\n$/.test(text)) break;
  }
  return text;
}

async function end(service: Deno.ChildProcess) {
  service.kill("SIGKILL");
  await service.stderr.cancel();
  await service.status;
}

Deno.test("a start of dev that fails makes and changes no secret", async () => {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const children: Deno.ChildProcess[] = [];
  try {
    const held = Deno.listen({ hostname: "127.0.0.1", port });
    const refused = await dev(folder, port).output();
    held.close();
    assert.deepEqual([refused.code, /lbx_/.test(new TextDecoder().decode(refused.stdout))], [
      1,
      false,
    ]);

    const service = dev(folder, port);
    children.push(service);
    const text = await bannerOf(service);
    const key = /lbx_\w+/.exec(text)?.[0];
    assert.ok(key && text.includes(`http://localhost:${port}/v1/mcp`), text);
    assert.match(text, /SMTP +localhost:\d+\n/);

    const second = await dev(folder, freePort(), "--credentials").output();
    const reason = new TextDecoder().decode(second.stderr);
    assert.equal(second.code, 1);
    assert.match(reason, /^[^\n]*kv\.sqlite[^\n]*\n$/);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/api/mailboxes`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
  } finally {
    for (const each of children) await end(each);
    await Deno.remove(folder, { recursive: true });
  }
});
