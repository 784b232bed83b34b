import { load, median, prepare, type Server, startBare, startService } from "./process.ts";
import type { Figure } from "./figure.ts";
import type { BenchOptions } from "./options.ts";

export const description = "A counted request with a key; five rounds";

const connections = 64;
const requests = 8_000;

/** Windows that are counted but never full: the limiter works, but refuses nothing. */
const counted = {
  requestsPerMinute: 1e9,
  requestsPerHour: 1e9,
  requestsPerDay: 1e9,
  mcpRequestsPerMinute: 1e9,
};

/**
 * The cost of finding the caller and counting the request: `GET /v1/api/mailboxes` at 64 connections, compared with a
 * Hono route with one `kv.get`.
 */
export async function run({ rounds = 5, say }: BenchOptions): Promise<Figure[]> {
  await using bare = await startBare();
  await using server = await startService({
    PLAN_OVERRIDES: JSON.stringify({ enterprise: counted, free: { requestsPerDay: 1 } }),
  });
  const { key } = await prepare(server);
  const ours: number[] = [], theirs: number[] = [];
  await using asked = await openConnections(server, "/v1/api/mailboxes", key);
  await using askedBare = await openConnections(bare, "/get", key);
  await asked.rate(200);
  await askedBare.rate(200);
  const cpu = [cpuSeconds(server), cpuSeconds(bare)];
  for (let round = 0; round < rounds; round++) {
    ours.push(await asked.rate(200));
    theirs.push(await askedBare.rate(200));
    say(`round ${round + 1} of ${rounds}: ${ours[round].toFixed(0)}/s`);
  }
  const [cpuOurs, cpuTheirs] = [cpuSeconds(server) - cpu[0], cpuSeconds(bare) - cpu[1]];
  await using refused = await refusedConnections(server);
  const costs = { accepted: 0, refused: 0 };
  for (let round = 0; round < rounds; round++) {
    const before = cpuSeconds(server);
    await asked.rate(200);
    const between = cpuSeconds(server);
    await refused.rate(429);
    costs.accepted += between - before;
    costs.refused += cpuSeconds(server) - between;
    say(`round ${round + 1} of ${rounds}: accepted and refused`);
  }
  return [
    {
      name: "authenticated, counted GET mailboxes at 64 connections, compared with one kv.get",
      ours: median(ours),
      bare: median(theirs),
      unit: "/s",
      note: `median of ${rounds} rounds of ${requests}`,
    },
    {
      name: "the same in processor time, whatever else the machine does",
      ours: rounds * requests / cpuOurs,
      bare: rounds * requests / cpuTheirs,
      unit: "/cpu s",
      note: "requests a second of processor time, all threads of the server",
    },
    {
      name: "refused with 429, compared with the same request accepted",
      ours: rounds * requests / costs.refused,
      bare: rounds * requests / costs.accepted,
      unit: "/cpu s",
      note: "a refusal is decided in memory",
    },
  ];
}

/** User and system time of all threads of the server so far (proc(5), in clock ticks of 10 ms). */
function cpuSeconds({ pid }: Server): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Connections of a free account whose only request of the day is used. */
async function refusedConnections(server: Server) {
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(server.base + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await answer.json()).data;
  };
  const account = { email: "refused@example.org", password: "correct horse battery staple" };
  await post("/api/auth/register", { ...account, name: "Refused" });
  const { accessToken } = await post("/api/auth/login", account);
  const asked = await openConnections(server, "/v1/api/mailboxes", accessToken);
  await asked.rate(null);
  return asked;
}

/** Connections that stay open and carry one request after another; they cost little compared with the server. */
async function openConnections(server: Server, path: string, token: string) {
  const { hostname, port } = new URL(server.base);
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const open = await Promise.all(
    Array.from({ length: connections }, () => Deno.connect({ hostname, port: Number(port) })),
  );
  const idle = [...open];
  const buffers = new Map(open.map((connection) => [connection, new Uint8Array(16_384)]));
  return {
    /** Returns requests a second. If a status is given, every answer must have it. */
    async rate(status: number | null): Promise<number> {
      const { seconds } = await load(requests, connections, async () => {
        const connection = idle.pop()!;
        await connection.write(request);
        const found = await readAnswer(connection, buffers.get(connection)!);
        if (status !== null && found !== status) throw new Error(`${path} answered ${found}`);
        idle.push(connection);
      });
      return requests / seconds;
    },
    [Symbol.asyncDispose]() {
      for (const connection of open) connection.close();
      return Promise.resolve();
    },
  };
}

/** Reads one answer, which has a Content-Length from both servers, and returns its status. */
async function readAnswer(connection: Deno.Conn, buffer: Uint8Array): Promise<number> {
  let size = 0;
  for (;;) {
    const count = await connection.read(buffer.subarray(size));
    if (count === null) throw new Error("the server closed a connection");
    size += count;
    const text = new TextDecoder("latin1").decode(buffer.subarray(0, size));
    const end = text.indexOf("\r\n\r\n");
    if (end === -1) continue;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (size >= end + 4 + length) return Number(text.slice(9, 12));
  }
}
