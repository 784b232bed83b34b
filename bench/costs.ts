// `deno task bench costs`: what a mail costs on a hosted KV, and when it can be found, over a stand-in of one.
import type { Costs } from "../tests/remote_kv/counts.ts";
import { RemoteKv } from "../tests/remote_kv/remote_kv.ts";
import {
  call,
  freePort,
  openAccount,
  postMail,
  type ProcessAccount,
  startProcess,
} from "../tests/service_process.ts";
import type { Figure } from "./figure.ts";
import { load } from "./load.ts";
import { benchMessages, repeated } from "./mail.ts";
import type { BenchOptions } from "./options.ts";

export const description =
  "Costs of mail on a remote database (reads, write units, bytes), and when it can be found";

/** Mails that come in `burstMs`, over so many connections. */
const burstMails = 300;
const burstMs = 6_000;
const connections = 8;
/** When mail must be found. */
const foundMs = 5_000;
const idleMs = 20_000;

export async function run(options: BenchOptions): Promise<Figure[]> {
  const mails = repeated(await benchMessages(options), options.messages ?? burstMails).map(named);
  await using remote = new RemoteKv({ readMs: [5, 15], writeMs: [20, 40] });
  const dir = await Deno.makeTempDir();
  const service = startProcess({
    dir,
    port: freePort(),
    env: { KV_PATH: remote.url, DENO_KV_ACCESS_TOKEN: "any" },
  });
  try {
    if (!await service.up) throw new Error("the service did not come up");
    const owner = await openAccount(service.base, "costs", 2);
    const [apart, together] = owner.mailboxes;
    const to = (box: typeof apart) => (raw: Uint8Array) => post(service.base, box, raw);
    const figures: Figure[] = [];

    options.say(`${mails.length} mails one after another, each processed before the next`);
    const idle = await costsWhile(remote, () => wait(idleMs));
    let costs = await costsWhile(remote, async () => {
      for (const raw of mails) {
        await to(apart)(raw);
        await quiet(remote);
      }
    });
    figures.push(...figuresOf("one at a time", costs, mails));

    options.say(`${mails.length} mails in ${burstMs / 1_000} s`);
    const others = repeated(mails, 2 * mails.length).slice(mails.length).map(named);
    let acknowledgedAt = 0;
    costs = await costsWhile(remote, async () => {
      await burst(others, to(together));
      acknowledgedAt = performance.now();
      await wait(foundMs);
      const found = await foundOf(service.base, owner, together, others);
      figures.push({
        name: `found ${foundMs / 1_000} s after the last of ${others.length} mails`,
        ours: found,
        unit: `of ${others.length}`,
      });
      await quiet(remote);
    });
    const marks = remote.calls.filter(({ kind, tables }) =>
      kind === "write" && tables.includes("emails_processing")
    );
    figures.push({
      name: "the last of them is processed after",
      ours: (marks.at(-1)!.to - acknowledgedAt) / 1_000,
      unit: "s",
    });
    figures.push(...figuresOf("50 a second", costs, others));
    figures.push({
      name: "an instance without work",
      ours: idle.reads / (idleMs / 3_600_000),
      unit: "read units an hour",
      note: `${idle.writes} commits in ${idleMs / 1_000} s`,
    });
    return figures;
  } finally {
    await service.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

/** The message with a word in its subject that no other has. */
function named(raw: Uint8Array, n: number): Uint8Array<ArrayBuffer> {
  const text = Array.from(raw, (byte) => String.fromCharCode(byte)).join("");
  const marked = /^subject:/im.test(text)
    ? text.replace(/^subject:/im, `Subject: ${wordOf(n)}`)
    : `Subject: ${wordOf(n)}\r\n${text}`;
  return Uint8Array.from(marked, (letter) => letter.charCodeAt(0));
}

function wordOf(n: number): string {
  return `Zq${n.toString(36)}x `;
}

async function post(
  base: string,
  box: ProcessAccount["mailboxes"][number],
  raw: Uint8Array,
): Promise<void> {
  const answer = await postMail(base, box.email_address, new Uint8Array(raw), {
    from: "ada@example.net",
    headers: { "x-remote-ip": "192.0.2.7", "x-remote-helo": "mx.example.net" },
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${body}`);
}

/** Sends all, evenly over `burstMs`. */
async function burst(mails: Uint8Array[], send: (raw: Uint8Array) => Promise<void>) {
  const from = performance.now();
  await load(mails.length, connections, async (n) => {
    await wait(from + (n * burstMs) / mails.length - performance.now());
    await send(mails[n]);
  });
}

interface Page {
  data: { processed: boolean }[];
  meta: { next_cursor: string | null };
}

/** How many of the mails are processed, and found by their words as far as these were searched for. */
async function foundOf(
  base: string,
  { key }: ProcessAccount,
  { mailbox_id }: ProcessAccount["mailboxes"][number],
  mails: Uint8Array[],
): Promise<number> {
  let processed = 0;
  const path = `${base}/v1/api/emails?limit=100&mailbox_id=${mailbox_id}`;
  const headers = { authorization: `Bearer ${key}` };
  for (let more: string | null = ""; more !== null;) {
    const answer: Response = await fetch(path + more, { headers });
    const page: Page = await answer.json();
    processed += page.data.filter((email) => email.processed).length;
    more = page.meta.next_cursor && `&cursor=${page.meta.next_cursor}`;
  }
  // One in ten is searched for: the newest among them.
  let missed = 0;
  for (let n = mails.length - 1; n >= 0; n -= 10) {
    const { results } = await call(`${base}/v1/api/search`, { query: wordOf(n), mailbox_id }, key);
    if (results.length === 0) missed++;
  }
  return Math.min(processed, mails.length - missed);
}

async function costsWhile(remote: RemoteKv, work: () => Promise<void>): Promise<Costs> {
  remote.clear();
  await work();
  return remote.costs;
}

/** Waits until a fifth of a second brought no request. */
async function quiet(remote: RemoteKv): Promise<void> {
  for (let seen = -1; seen !== remote.calls.length;) {
    seen = remote.calls.length;
    await wait(200);
  }
}

function figuresOf(how: string, costs: Costs, mails: Uint8Array[]): Figure[] {
  const each = (sum: number) => sum / mails.length;
  const bytes = mails.reduce((sum, { length }) => sum + length, 0);
  const note = `mean size ${(each(bytes) / 1_000).toFixed(1)} kB`;
  return [
    { name: `a mail, ${how}: requests of reads`, ours: each(costs.reads), unit: "" },
    { name: `a mail, ${how}: read units of 4 KiB`, ours: each(costs.readUnits), unit: "" },
    { name: `a mail, ${how}: commits`, ours: each(costs.writes), unit: "" },
    { name: `a mail, ${how}: write units of 1 KiB`, ours: each(costs.writeUnits), unit: "", note },
    { name: `a mail, ${how}: written`, ours: each(costs.writtenBytes) / 1_000, unit: "kB" },
    { name: `a mail, ${how}: read`, ours: each(costs.readBytes) / 1_000, unit: "kB" },
  ];
}

function wait(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, ms));
}
