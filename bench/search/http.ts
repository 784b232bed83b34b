import type { IndexedEmail } from "../../domain/ports/search_index.ts";
import { postOurs } from "../arrivals.ts";
import { load, type Server, startService } from "../process.ts";
import { type Filled, fillStore, idleAccounts, madeEmail, rawOf, senderOf } from "./store.ts";
import { inventedMail, seeded } from "../invented_mail.ts";
import type { Figure } from "../figure.ts";

const queries = 400;
const arrivalsPerSecond = 200;
const arrivalSeconds = 20;

/**
 * Measures the real service over HTTP. Store and index are filled in bulk with a large account and a hundred small
 * ones. The figures: search times at 1, 4 and 8 connections (with `GET /v1/api/health` requested all the time),
 * processor time, memory, and searches while mail arrives at 200 a second. `mail` gives the texts; without it, texts of
 * invented words with natural frequencies. `store` is a folder that keeps the filled store for the next run.
 */
export async function throughRest(
  mail: IndexedEmail[],
  size: number,
  store?: string,
): Promise<Figure[]> {
  const texts = mail.length > 0 ? mail : inventedMail(1_500);
  const dir = store ?? await Deno.makeTempDir();
  const note = `${dir}/filled-${size}.json`;
  try {
    await Deno.mkdir(dir, { recursive: true });
    const known = await Deno.readTextFile(note).catch(() => null);
    const filled: Filled = known ? JSON.parse(known) : await fillStore(dir, texts, size);
    if (store) await Deno.writeTextFile(note, JSON.stringify(filled));
    await using server = await startService({}, dir);
    return await measured(server, filled, texts, size);
  } finally {
    if (!store) await Deno.remove(dir, { recursive: true });
  }
}

async function measured(
  server: Server,
  { key, address, rate }: Filled,
  mail: IndexedEmail[],
  size: number,
): Promise<Figure[]> {
  const at = `search through REST: ${size} emails of one account, ${idleAccounts} others`;
  const figures: Figure[] = [{ name: `${at}, filled`, ours: rate, unit: "/s" }];
  const random = seeded(7);
  const asked = Array.from({ length: queries }, (_, n) => queryOf(mail, random, n));
  const search = async (n: number) => {
    const answer = await call(server, key, "/v1/api/search", asked[n % queries]);
    return answer.degraded !== true;
  };
  const begun = performance.now();
  while (!await search(0));
  figures.push({
    name: `${at}, first whole answer after a start`,
    ours: performance.now() - begun,
    unit: "ms",
  });
  let degraded = 0;
  const whole = async (n: number) => {
    if (!await search(n)) degraded++;
  };
  await load(50, 1, whole);
  for (const connections of [1, 4, 8]) {
    const before = server.cpuSeconds();
    const health = watchHealth(server);
    const times = await load(queries, connections, whole);
    const { p99, asked: healthChecks } = await health();
    const cpuMs = (server.cpuSeconds() - before) * 1_000 / queries;
    figures.push(
      {
        name: `${at}, ${connections} connections, query p95`,
        ours: times.p95,
        unit: "ms",
        note: `p50 ${times.p50.toFixed(1)} ms; processor ${
          cpuMs.toFixed(1)
        } ms a query and its health checks`,
      },
      {
        name: `${at}, ${connections} connections, health p99 meanwhile`,
        ours: p99,
        unit: "ms",
        note: `${healthChecks} asked`,
      },
    );
  }
  figures.push({ name: `${at}, of ${3 * queries + 50} degraded`, ours: degraded, unit: "" });
  figures.push({ name: `${at}, resident`, ours: server.residentMB(), unit: "MB" });
  figures.push(...await arrivals(server, key, address, mail, at));
  figures.push({ name: `${at}, resident after arrivals`, ours: server.residentMB(), unit: "MB" });
  return figures;
}

/**
 * Mail at a steady rate while one client searches: how far behind the index is at the end, and how long a search takes.
 */
async function arrivals(
  server: Server,
  key: string,
  address: string,
  mail: IndexedEmail[],
  at: string,
): Promise<Figure[]> {
  const random = seeded(11);
  const times: number[] = [];
  let pending = 0;
  let going = true;
  const searcher = (async () => {
    for (let n = 0; going; n++) {
      const begun = performance.now();
      pending = (await call(server, key, "/v1/api/search", queryOf(mail, random, n))).pending;
      times.push(performance.now() - begun);
      await new Promise((done) => setTimeout(done, 100));
    }
  })();
  const count = arrivalsPerSecond * arrivalSeconds;
  const begun = performance.now();
  const posted: Promise<string>[] = [];
  for (let n = 0; n < count; n++) {
    const waitMs = begun + n * 1_000 / arrivalsPerSecond - performance.now();
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
    const raw = rawOf(madeEmail(mail, random, 10_000_000 + n));
    posted.push(postOurs(server, address, raw, `arrival-${n}`));
  }
  await Promise.all(posted);
  const acknowledged = performance.now();
  going = false;
  await searcher;
  do {
    pending = (await call(server, key, "/v1/api/search", { query: "anything", limit: 1 })).pending;
    if (pending > 0) await new Promise((done) => setTimeout(done, 20));
  } while (pending > 0 && performance.now() - acknowledged < 120_000);
  const end = performance.now();
  times.sort((a, b) => a - b);
  return [
    {
      name: `${at}, mail at ${arrivalsPerSecond}/s for ${arrivalSeconds} s: acknowledged`,
      ours: count / ((acknowledged - begun) / 1_000),
      unit: "/s",
    },
    {
      name: `${at}, the same: the last findable after`,
      ours: (end - acknowledged) / 1_000,
      unit: "s",
      note: `query p95 meanwhile ${times[Math.floor(times.length * 0.95)]?.toFixed(0)} ms`,
    },
  ];
}

/** Requests health every 10 ms until the returned function is called. */
function watchHealth(server: Server): () => Promise<{ p99: number; asked: number }> {
  const times: number[] = [];
  let going = true;
  const watching = (async () => {
    while (going) {
      const begun = performance.now();
      const answer = await fetch(`${server.base}/v1/api/health`);
      await answer.arrayBuffer();
      times.push(performance.now() - begun);
      await new Promise((done) => setTimeout(done, 10));
    }
  })();
  return async () => {
    going = false;
    await watching;
    times.sort((a, b) => a - b);
    return { p99: times[Math.floor(times.length * 0.99)], asked: times.length };
  };
}

async function call(server: Server, key: string, path: string, body: unknown) {
  const answer = await fetch(server.base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** Queries like those of people: two to eight words of a mail, sometimes a number, sometimes a filter. */
function queryOf(mail: IndexedEmail[], random: () => number, n: number) {
  const { text, subject, from } = mail[Math.floor(random() * mail.length)];
  const words = text.split(/\s+/).filter((word) => /^[\w-]{3,15}$/.test(word));
  const at = Math.floor(random() * Math.max(1, words.length - 8));
  const query = words.slice(at, at + 2 + Math.floor(random() * 7)).join(" ") || subject || "mail";
  const filter = n % 8 === 0
    ? { from: senderOf(from).address.slice(0, 6) || "a" }
    : n % 8 === 1
    ? { date_from: "2026-10-01" }
    : n % 8 === 2
    ? { subject: subject.slice(0, 6) || "a" }
    : {};
  return { query: n % 10 === 0 ? `${query} ${n * 31}` : query, ...filter };
}
