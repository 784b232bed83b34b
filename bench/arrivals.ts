import { parseArgs } from "node:util";
import { benchMessages } from "./mail.ts";
import type { Figure } from "./main.ts";
import {
  inboundToken,
  load,
  median,
  prepare,
  type Server,
  startBare,
  startService,
} from "./process.ts";

const connectionCounts = [1, 8, 32];

/**
 * Arrivals a second until acknowledged, and until every message is parsed and findable (steady), beside the bare
 * work on the same messages; fresh processes and stores each time, ours and the bare work in turn.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string" } },
    strict: false,
    allowPositionals: true,
  });
  const rounds = Number(values.rounds ?? 3);
  const messages = await benchMessages(args);
  const figures: Figure[] = [];
  for (const connections of connectionCounts) {
    const ours: number[] = [],
      bare: number[] = [],
      steady: number[] = [],
      p50: number[] = [],
      p95: number[] = [],
      memory: number[] = [];
    for (let round = 0; round < rounds; round++) {
      {
        await using server = await startBare();
        bare.push(
          messages.length /
            (await load(messages.length, connections, (i) => postBare(server, messages[i])))
              .seconds,
        );
      }
      await using server = await startService();
      const { key, address } = await prepare(server);
      const startedAt = performance.now();
      const times = await load(
        messages.length,
        connections,
        async (i) => void await postOurs(server, address, messages[i], `bench-${i}`),
      );
      ours.push(messages.length / times.seconds);
      await untilProcessed(server, key);
      steady.push(messages.length / ((performance.now() - startedAt) / 1_000));
      p50.push(times.p50);
      p95.push(times.p95);
      memory.push(server.residentMB());
    }
    const note = `p50 ${median(p50).toFixed(1)} ms, p95 ${median(p95).toFixed(1)} ms; ${
      median(memory).toFixed(0)
    } MB resident`;
    figures.push({
      name: `arrivals acknowledged, ${connections} connections`,
      ours: median(ours),
      bare: median(bare),
      unit: "/s",
      note,
    });
    figures.push({
      name: `arrivals until parsed and findable, ${connections} connections`,
      ours: median(steady),
      bare: median(bare),
      unit: "/s",
    });
  }
  return figures;
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
  raw: Uint8Array,
  ingestId: string,
): Promise<string> {
  const answer = await fetch(`${server.base}/inbound/raw`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${inboundToken}`,
      "content-type": "message/rfc822",
      "x-envelope-to": address,
      "x-envelope-from": "sender@example.net",
      "x-ingest-id": ingestId,
    },
    body: raw as Uint8Array<ArrayBuffer>,
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`ours ${answer.status} ${JSON.stringify(body)}`);
  return body.data.results[0].email_id;
}

/** Asks until no email waits to be parsed and indexed; bounded to five minutes. */
export async function untilProcessed(server: Server, key: string): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    const answer = await fetch(`${server.base}/v1/api/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "pending", limit: 1 }),
    });
    if ((await answer.json()).pending === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the backlog did not drain in five minutes");
}
