import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createApp } from "../../routes/app.ts";
import { data } from "../service.ts";
import { freePort } from "../service_process.ts";
import { hasPython, type ServedService, serveService } from "./served.ts";
import { printed } from "./printed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const client = new URL("../../sdk/typescript/src/index.ts", import.meta.url).href;

/** The steps that `/docs` shows in a language, as one program with the key of the test and a free port. */
async function guideOf({ test, owner }: ServedService, language: string): Promise<string> {
  const page = await (await createApp(test.service).request("/docs")).text();
  const pattern = new RegExp(`<pre [^>]*class="${language}"[^>]*>([^<]*)</pre>`, "g");
  const programs = [...page.matchAll(pattern)].map(([, program]) => program);
  assert.equal(programs.length, 4);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return programs.join("\n")
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => entities[name])
    .replace("lbx_...", owner.key)
    .replaceAll("9000", String(freePort()));
}

/** The log of the webhook that the guide made. */
async function deliveriesOf({ test, owner: { key: token } }: ServedService) {
  const [webhook] = await data(test.request("/v1/api/webhooks", { token }));
  return await data(test.request(`/v1/api/webhooks/${webhook.webhook_id}/deliveries`, { token }));
}

// SPEC: reference.guide
Deno.test("the guide of /docs runs with curl", async () => {
  await using served = await serveService();
  const text = await printed(served, "sh", ["-c", await guideOf(served, "sh")]);
  assert.match(text, /"subject":"Welcome"/);
  assert.match(text, /482913\n/);
  assert.match(text, /"event":"email.received"/);
  const [delivery] = await deliveriesOf(served);
  assert.equal(delivery.event, "email.received", text);
});

const expected = /^Welcome Your code is 482913\.\n+482913\nqueued\nemail\.received(?:\n|$)/;

// SPEC: reference.guide
Deno.test("the guide of /docs runs in TypeScript", async () => {
  await using served = await serveService();
  const program = (await guideOf(served, "ts")).replaceAll(
    '"letterbox-sdk"',
    JSON.stringify(client),
  );
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, program);
  const args = ["run", "-A", "--no-config", "--no-check", "-q", file];
  const run = { env: { NO_COLOR: "1" }, last: "email.received" };
  assert.match(await printed(served, Deno.execPath(), args, run), expected);
  await Deno.remove(file);
});

// SPEC: reference.guide
Deno.test({
  name: "the guide of /docs runs in Python",
  ignore: !hasPython(),
  async fn() {
    await using served = await serveService();
    const env = {
      PYTHONPATH: `${root}sdk/python`,
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONUNBUFFERED: "1",
    };
    const run = { env, last: "email.received" };
    const text = await printed(served, "python3", ["-c", await guideOf(served, "python")], run);
    assert.match(text, expected);
  },
});
