import { postOurs, untilProcessed } from "./arrivals.ts";
import { attachment } from "./heavy.ts";
import { benchMessages } from "./mail.ts";
import { load, prepare, startBare, startService } from "./process.ts";
import type { Figure } from "./figure.ts";
import type { BenchOptions } from "./options.ts";

export const description = "Lists, emails and searches of a filled mailbox";

const requests = 400;
const largeReads = 40;

/** Reads of a filled mailbox at 8 connections: list of 50, one email, raw, search; hello-world Hono and bare KV beside. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  const messages = await benchMessages(options);
  await using bare = await startBare();
  await load(messages.length, 16, async (i) => {
    await (await fetch(`${bare.base}/mail`, {
      method: "POST",
      body: messages[i] as Uint8Array<ArrayBuffer>,
    })).arrayBuffer();
  });
  await using server = await startService();
  const { key, address } = await prepare(server);
  const ids: string[] = [];
  await load(
    messages.length,
    16,
    async (i) => void ids.push(await postOurs(server, address, messages[i], `bench-${i}`)),
  );
  await untilProcessed(server, key);
  const read = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    if (answer.status !== 200) throw new Error(`${url} ${answer.status}`);
    await answer.arrayBuffer();
  };
  const api = `${server.base}/v1/api`;
  const search = (i: number) =>
    read(`${api}/search`, {
      method: "POST",
      body: JSON.stringify({ query: `meeting order ${i % 50}` }),
    });
  const bareId = (i: number) => String(1 + i % messages.length).padStart(9, "0");
  const pairs: [string, (i: number) => Promise<void>, ((i: number) => Promise<void>)?][] = [
    [
      "health, beside hello-world Hono",
      () => read(`${api}/health`),
      () => read(`${bare.base}/hello`),
    ],
    [
      "mailboxes, beside Hono with one kv.get",
      () => read(`${api}/mailboxes`),
      () => read(`${bare.base}/get`),
    ],
    [
      "list of 50, beside one kv.list of 50 rows",
      () => read(`${api}/emails?limit=50`),
      () => read(`${bare.base}/list`),
    ],
    ["one email with its text", (i) => read(`${api}/emails/${ids[i % ids.length]}`)],
    [
      "raw, beside its chunks bare",
      (i) => read(`${api}/emails/${ids[i % ids.length]}/raw`),
      (i) => read(`${bare.base}/raw/${bareId(i)}`),
    ],
    ["search", search],
  ];
  const figures: Figure[] = [];
  for (const [name, ours, theirs] of pairs) {
    await load(50, 8, ours);
    if (theirs) await load(50, 8, theirs);
    const our = await load(requests, 8, ours);
    const other = theirs && await load(requests, 8, theirs);
    figures.push({
      name,
      ours: requests / our.seconds,
      bare: other && requests / other.seconds,
      unit: "/s",
      note: `p50 ${our.p50.toFixed(2)} ms, p95 ${our.p95.toFixed(2)} ms${
        other ? ` (bare ${other.p50.toFixed(2)}, ${other.p95.toFixed(2)})` : ""
      }`,
    });
  }
  const large = attachment(10_000_000, 1);
  const largeId = await postOurs(server, address, large, "bench-large");
  await untilProcessed(server, key);
  await (await fetch(`${bare.base}/large`, { method: "POST", body: large })).arrayBuffer();
  const rates: number[] = [];
  for (const url of [`${api}/emails/${largeId}/raw`, `${bare.base}/large`]) {
    await load(5, 1, () => read(url));
    rates.push(largeReads / (await load(largeReads, 1, () => read(url))).seconds);
  }
  figures.push({
    name: "raw download of 10 MB, beside its chunks bare",
    ours: rates[0] * large.length / 1e6,
    bare: rates[1] * large.length / 1e6,
    unit: "MB/s",
    note: "1 connection",
  });
  figures.push({ name: "resident memory after all", ours: server.residentMB(), unit: "MB" });
  return figures;
}
