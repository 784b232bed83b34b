import { benchMessages } from "./mail.ts";
import {
  inboundToken,
  load,
  median,
  prepare,
  type Server,
  startBare,
  startService,
} from "./process.ts";
import type { Figure } from "./figure.ts";
import type { BenchOptions } from "./options.ts";

export const description = "Mail in, until acknowledged and until findable; three rounds";

const connectionCounts = [1, 8, 32];

/**
 * Arrivals a second until acknowledged, and until every message is parsed and findable (steady), beside the bare
 * work on the same messages; fresh processes and stores each time, ours and the bare work in turn.
 */
export async function run(options: BenchOptions): Promise<Figure[]> {
  const { rounds = 3 } = options;
  const messages = await benchMessages(options);
  const figures: Figure[] = [];
  for (const connections of connectionCounts) {
    const runs: { bare: Run; ours: Run; steady: Run; memory: number }[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await oneRound(messages, connections));
    const of = (pick: (run: typeof runs[number]) => number) => median(runs.map(pick));
    figures.push({
      name: `arrivals acknowledged, ${connections} connections`,
      ours: of((run) => run.ours.perSecond),
      bare: of((run) => run.bare.perSecond),
      unit: "/s",
      note: `p50 ${
        of((run) => run.ours.p50).toFixed(1)
      } ms, p95 ${of((run) => run.ours.p95).toFixed(1)} ms; ` +
        `processor ${
          of((run) => run.ours.cpuMs).toFixed(2)
        } ms a message (bare ${of((run) => run.bare.cpuMs).toFixed(2)})`,
    });
    figures.push({
      name: `arrivals until parsed and findable, ${connections} connections`,
      ours: of((run) => run.steady.perSecond),
      bare: of((run) => run.bare.perSecond),
      unit: "/s",
      note: `processor ${of((run) => run.steady.cpuMs).toFixed(2)} ms a message; ${
        of((run) => run.memory).toFixed(0)
      } MB resident`,
    });
  }
  return figures;
}

interface Run {
  perSecond: number;
  cpuMs: number;
  p50: number;
  p95: number;
}

async function oneRound(
  messages: Uint8Array[],
  connections: number,
): Promise<{ bare: Run; ours: Run; steady: Run; memory: number }> {
  let bare: Run;
  {
    await using server = await startBare();
    const cpu = server.cpuSeconds();
    const times = await load(messages.length, connections, (i) => postBare(server, messages[i]));
    bare = runOf(messages.length, times, server.cpuSeconds() - cpu);
  }
  await using server = await startService();
  const { key, address } = await prepare(server);
  const cpu = server.cpuSeconds(), startedAt = performance.now();
  const times = await load(
    messages.length,
    connections,
    async (i) => void await postOurs(server, address, messages[i], `bench-${i}`),
  );
  const ours = runOf(messages.length, times, server.cpuSeconds() - cpu);
  await untilProcessed(server, key);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    bare,
    ours,
    steady: runOf(messages.length, { ...times, seconds }, server.cpuSeconds() - cpu),
    memory: server.residentMB(),
  };
}

function runOf(
  count: number,
  times: { seconds: number; p50: number; p95: number },
  cpuSeconds: number,
): Run {
  return {
    perSecond: count / times.seconds,
    cpuMs: cpuSeconds * 1_000 / count,
    p50: times.p50,
    p95: times.p95,
  };
}

async function postBare(server: Server, raw: Uint8Array): Promise<void> {
  const answer = await fetch(`${server.base}/mail`, {
    method: "POST",
    body: raw as Uint8Array<ArrayBuffer>,
  });
  if (answer.status !== 200) throw new Error(`bare ${answer.status}`);
  await answer.arrayBuffer();
}

export async function postOurs(
  server: Server,
  address: string,
  raw: Uint8Array | ReadableStream<Uint8Array>,
  ingestId: string,
): Promise<string> {
  const answer = await fetch(`${server.base}/inbound/raw`, {
    method: "POST",
    headers: { ...inboundHeaders(address), "x-ingest-id": ingestId },
    body: raw as BodyInit,
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`ours ${answer.status} ${JSON.stringify(body)}`);
  return body.data.results[0].email_id;
}

export function inboundHeaders(address: string): Record<string, string> {
  return {
    authorization: `Bearer ${inboundToken}`,
    "content-type": "message/rfc822",
    "x-envelope-to": address,
    "x-envelope-from": "sender@example.net",
  };
}

/**
 * Asks until no email waits to be parsed and indexed; bounded to five minutes. A search says how many wait, but is work
 * for the very thread that is waited for: it is asked once the newest email is done.
 */
export async function untilProcessed(server: Server, key: string): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.base}/v1/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    if (!answer.ok) throw new Error(`${path} ${answer.status}`);
    return await answer.json();
  };
  const isNewestDone = async () => (await ask("/emails?limit=1")).data[0].processed;
  const areAllDone = async () => {
    const body = JSON.stringify({ query: "pending", limit: 1 });
    return (await ask("/search", { method: "POST", body })).pending === 0;
  };
  for (let tries = 0; tries < 6_000; tries++) {
    if (await isNewestDone() && await areAllDone()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the backlog did not drain in five minutes");
}
