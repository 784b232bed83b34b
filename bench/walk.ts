import type { ArgsDef } from "citty";
import { numberOf } from "./options.ts";
import { type Figure, figureOf } from "./figure.ts";
import { type Ask, atConnections, type Client, FetchClient, load, LoadClient } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { prepare, type Server, startService } from "./process.ts";
import { fill, inTurn, targetOf } from "./sides.ts";
import { benchMessages } from "./mail.ts";

export const description =
  "A walk of calls that read, search, change and send, over REST and MCP, at 8 connections; ten rounds";
export const comparable = true;
export const options = {
  calls: { type: "string", description: "calls of a round; default 1,500" },
} satisfies ArgsDef;

const connections = 8;
const filledWith = 200;

/** A running service and the data that the calls use. */
interface Walked extends AsyncDisposable {
  server: Server;
  client: Client;
  key: string;
  mailboxId: string;
  emailIds: string[];
}

type Call =
  | { method: string; path: string; json?: unknown; status?: number }
  | { tool: string; args: Record<string, unknown> };

/** The kinds of calls. Call number `n` takes the next kind and the next email in turn. */
function callOf({ mailboxId: mailbox_id, emailIds }: Walked, n: number): Call {
  const email_id = emailIds[n * 7 % emailIds.length];
  const one = `/v1/api/emails/${email_id}`;
  const mail = { mailbox_id, to: "ada@example.net", subject: "Hi", body_text: `Number ${n}.` };
  const query = `meeting order ${n % 50}`;
  const kinds: Call[] = [
    { method: "GET", path: `/v1/api/emails?mailbox_id=${mailbox_id}&limit=20` },
    { tool: "list_emails", args: { mailbox_id, limit: 20 } },
    { method: "GET", path: one },
    { tool: "get_email", args: { email_id } },
    { method: "GET", path: `${one}/raw` },
    { method: "GET", path: `${one}/links` },
    { method: "GET", path: `${one}/verification` },
    { tool: "get_verification", args: { email_id } },
    { method: "POST", path: "/v1/api/search", json: { query } },
    { tool: "search_emails", args: { query } },
    { method: "GET", path: `/v1/api/emails/wait?mailbox_id=${mailbox_id}&timeout_seconds=0` },
    { method: "PATCH", path: one, json: { is_read: n % 2 === 0 } },
    { tool: "update_email", args: { email_id, add_labels: [`l${n % 5}`] } },
    { method: "POST", path: "/v1/api/emails/send", json: mail, status: 201 },
    { tool: "send_email", args: mail },
    { method: "GET", path: "/v1/api/mailboxes" },
  ];
  return kinds[n % kinds.length];
}

function askOf(walked: Walked, n: number): Ask {
  const call = callOf(walked, n);
  const headers = {
    authorization: `Bearer ${walked.key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
  if (!("tool" in call)) {
    const { method, path, json, status } = call;
    return { method, path, headers, status, ...json === undefined ? {} : { body: bytes(json) } };
  }
  const params = { name: call.tool, arguments: call.args };
  const message = { jsonrpc: "2.0", id: n, method: "tools/call", params };
  return { method: "POST", path: "/v1/mcp?toolset=full", headers, body: bytes(message) };
}

/**
 * With `--compare` both checkouts keep running and are measured in turn. The processor time is the most reliable
 * figure, because other work on the machine does not count in it.
 */
export async function run(given: BenchOptions & { calls?: string }): Promise<Figure[]> {
  const { rounds = 10, compare, say } = given;
  const calls = numberOf("--calls", given.calls) ?? 1_500;
  await using ours = await started(given);
  await using other = compare === undefined ? null : await started(given, compare);
  const sides = [ours, ...other ? [other] : []];
  const seen = sides.map(() => ({ rates: [] as number[], cpuMs: [] as number[] }));
  let next = 0;
  const walk = async (walked: Walked, count: number, first: number) =>
    await load(count, connections, async (i) => {
      const answer = await walked.client.ask(askOf(walked, first + i));
      const text = new TextDecoder().decode(answer);
      if (text.includes(`"isError":true`)) throw new Error(text.slice(0, 500));
    });
  for (const side of sides) await walk(side, 320, 0);
  for (let round = 0; round < rounds; round++, next += calls) {
    for (const side of inTurn(sides, round)) {
      const before = side.server.cpuSeconds();
      const { seconds } = await walk(side, calls, next);
      const { rates, cpuMs } = seen[sides.indexOf(side)];
      rates.push(calls / seconds);
      cpuMs.push((side.server.cpuSeconds() - before) * 1_000 / calls);
    }
    const shown = seen.map(({ rates, cpuMs }) =>
      `${rates[round].toFixed(0)}/s ${cpuMs[round].toFixed(2)} ms`
    );
    say(`round ${round + 1} of ${rounds}: ${shown.join(", compared with ")}`);
  }
  const figure = (name: string, unit: string, values: "rates" | "cpuMs") =>
    figureOf(name, unit, { ours: seen[0][values], bare: seen[1]?.[values] });
  return [
    figure(`walk of calls, ${atConnections(connections)}`, "/s", "rates"),
    figure("processor time of a call of the walk", "ms", "cpuMs"),
  ];
}

async function started(options: BenchOptions, checkout?: string): Promise<Walked> {
  const server = await startService({}, undefined, checkout);
  const { key, address, mailboxId } = await prepare(server);
  const client = options.client === "fetch"
    ? new FetchClient(server.base)
    : new LoadClient(server.base);
  const messages = (await benchMessages(options)).slice(0, filledWith);
  const emailIds = await fill(targetOf(server, client, key, address), messages);
  return {
    ...{ server, client, key, mailboxId, emailIds },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
