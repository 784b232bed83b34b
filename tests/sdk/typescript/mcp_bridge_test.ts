import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bounded } from "../../eventually.ts";
import { freePort } from "../../service_process.ts";
import { serveService } from "../served.ts";

const program = fileURLToPath(
  new URL("../../../sdk/typescript/bin/letterbox_mcp.ts", import.meta.url),
);
const args = (...more: string[]) => ["run", "-A", "--no-config", program, ...more];

/** Runs the bridge on lines of input and returns what it wrote. */
async function bridge(options: string[], lines: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: args(...options),
    env: { LETTERBOX_URL: "", LETTERBOX_API_KEY: "" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that refuses its settings reads no input.
  await writer.write(new TextEncoder().encode(lines.join("\n"))).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await bounded("the bridge ends", child.output(), [], 60_000);
  const text = new TextDecoder().decode(stdout);
  const messages = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return { code, messages, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("letterbox-mcp passes --tools and --structured to the URL of the server", async () => {
  await using served = await serveService();
  const options = ["--tools", "get_email,list_emails", "--structured", "off"];
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const { messages: [{ result }] } = await bridge(
    ["--url", served.base, "--key", served.owner.key, ...options],
    [list],
  );
  const names = result.tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["list_emails", "get_email"]);
  assert.ok(!("outputSchema" in result.tools[0]));
});

for (const mode of ["legacy", "auto"] as const) {
  Deno.test(`an MCP client works through letterbox-mcp as over HTTP, ${mode}`, async () => {
    await using served = await serveService();
    await served.arrive({ Subject: "Your order" }, "It is ZX-48213.\u2028\n");
    const transport = new StdioClientTransport({
      command: Deno.execPath(),
      args: args("--url", served.base, "--toolset", "full"),
      env: { LETTERBOX_API_KEY: served.owner.key },
    });
    const client = new Client(
      { name: "tests", version: "1.0.0" },
      mode === "auto" ? { versionNegotiation: { mode } } : {},
    );
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.equal(tools[0].name, "search_emails");
    assert.ok(tools.some(({ name }) => name === "wait_for_email"));
    const { structuredContent } = await client.callTool({
      name: "list_emails",
      arguments: { mailbox_id: served.box.mailbox_id },
    }) as { structuredContent: { emails: { subject: string; email_id: string }[] } };
    assert.deepEqual(structuredContent.emails.map(({ subject }) => subject), ["Your order"]);
    const [{ email_id }] = structuredContent.emails;
    const read = await client.callTool({ name: "get_email", arguments: { email_id } });
    assert.match(JSON.stringify(read.structuredContent), /ZX-48213/);
    const wrong = await client.callTool({ name: "get_email", arguments: { email_id: "none" } });
    assert.equal(wrong.isError, true);
    await client.close();
  });
}

const list = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" });

Deno.test("letterbox-mcp answers every request with an error if the key is refused or the service does not answer", async () => {
  await using served = await serveService();
  const refused = await bridge(["--url", served.base, "--key", "lbx_wrong"], [list(1), list("b")]);
  assert.equal(refused.code, 0);
  assert.deepEqual(new Set(refused.messages.map(({ id }) => id)), new Set([1, "b"]));
  for (const { error } of refused.messages) assert.match(error.message, /^UNAUTHORIZED: /);
  const away = await bridge(["--url", `http://127.0.0.1:${freePort()}`, "--key", "lbx_wrong"], [
    list(1),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    "no json",
    "[]",
  ]);
  assert.equal(away.code, 0);
  const codes = away.messages.map(({ id, error }) => `${id} ${error.code}`).sort();
  const [{ error: unreached }] = away.messages.filter(({ id }) => id === 1);
  assert.match(unreached.message, /^The service cannot be reached: .*[Rr]efused/);
  assert.deepEqual(codes, ["1 -32000", "null -32600", "null -32700"]);
  assert.ok(!JSON.stringify([refused, away]).includes("lbx_wrong"));
});

Deno.test("letterbox-mcp without settings exits with 2 and one line", async () => {
  const { code, messages, stderr } = await bridge([], []);
  assert.deepEqual([code, messages], [2, []]);
  assert.match(stderr, /^letterbox-mcp: give --url.*\n$/);
});
