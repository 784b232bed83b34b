import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bounded } from "../eventually.ts";
import { inboundToken } from "../service.ts";
import { serveService } from "../sdk/served.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program of `examples/` against a whole service and returns the lines that it prints. */
async function linesOf(name: string): Promise<string[]> {
  await using served = await serveService();
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `examples/${name}`],
    cwd: root,
    env: {
      LETTERBOX_URL: served.base,
      LETTERBOX_API_KEY: served.owner.key,
      LETTERBOX_INBOUND_TOKEN: inboundToken,
      NO_COLOR: "1",
    },
    stdin: "null",
  });
  const { success, stdout, stderr } = await bounded(
    name,
    command.output(),
    served.test.log,
    60_000,
  );
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("examples: a sign-up takes its code", async () => {
  const [line] = await linesOf("sign_up.ts");
  assert.match(line, /^the code for [a-z]+-[a-z]+-\d+@agents\.test is 482913$/);
});

Deno.test("examples: a support agent answers what it can and leaves the rest to people", async () => {
  const lines = await linesOf("support_agent.ts");
  assert.deepEqual(lines.sort(), ["answered: Opening hours", "left to a person: A complaint"]);
});

Deno.test("examples: triage labels each mail once", async () => {
  const lines = await linesOf("triage.ts");
  assert.deepEqual(lines.sort(), ["billing: Invoice 7", "newsletter: News", "to-answer: Lunch?"]);
});

Deno.test("examples: three workers do each order once, and the one that failed again", async () => {
  const lines = await linesOf("workers.ts");
  const orders = lines.slice(0, -1).map((line) => line.replace(/^\w+: /, "")).sort();
  const expected = Array.from(
    { length: 9 },
    (_, n) => `Order ${n + 1}, attempt ${n === 2 ? 2 : 1}`,
  );
  assert.deepEqual([orders, lines.at(-1)], [expected, "9 orders"]);
});
