import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { receiveEvents } from "./event_receiver.ts";
import { mailDisagreements } from "./mail_scan.ts";
import { seeded } from "./seeded.ts";
import { sendMail, type Sent, type Tally } from "./sender.ts";
import { freePort, type ServiceProcess } from "../service_process.ts";
import { type Account, openListeningAccount, startLife } from "./life.ts";

export interface TortureOptions {
  seed: number;
  /** How long mail is sent; recovery and the checks follow. */
  seconds: number;
  /** On a busy machine mail is sent for longer, at most a minute more, until this much has happened. */
  least?: { kills: number; acked: number; unknown: number };
  senders: number;
  /** Least and longest time between health and the kill, ms. */
  lifeMs: [number, number];
  /** Share of lives that end at a chosen fsync; 0 without strace. */
  fsyncShare: number;
}

export interface TortureReport extends Tally {
  seed: number;
  kills: number;
  killsAtFsync: number;
  /** Kills before the service answered: they interrupted the recovery. */
  killsWhileStarting: number;
  emails: number;
  events: number;
  slowestStartMs: number;
  violations: string[];
}

/**
 * Sends mail to a service that is killed many times, then checks everything: each acknowledged message is stored once,
 * byte for byte, threaded and indexed; its events were delivered with one id; no partial message was ever visible;
 * every chunk has its message; counters equal a recount.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const random = seeded(options.seed);
  const dir = await Deno.makeTempDir();
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  const events = receiveEvents(seeded(options.seed + 1));
  const sent: Sent[] = [];
  const tally: Tally = { posts: 0, acked: 0, unknown: 0, refused: 0, again: 0, slowestMs: 0 };
  const counts = { kills: 0, killsAtFsync: 0, killsWhileStarting: 0, slowestStartMs: 0 };
  const violations: string[] = [];
  try {
    let life = startLife(dir, port);
    await life.up;
    const accounts = [
      await openListeningAccount(base, "alpha", 2, events.url),
      await openListeningAccount(base, "bravo", 1, events.url),
    ];
    const addresses = accounts.flatMap((each) => each.addresses);
    const endAt = Date.now() + options.seconds * 1000;
    const { kills, acked, unknown } = options.least ?? { kills: 0, acked: 0, unknown: 0 };
    const over = () => {
      const late = Date.now() - endAt;
      const enough = counts.kills >= kills && tally.acked >= acked && tally.unknown >= unknown;
      return late >= 60_000 || (late >= 0 && enough);
    };
    const sending = Promise.all(
      Array.from(
        { length: options.senders },
        (_, n) =>
          sendMail(
            `s${n}`,
            () => base,
            addresses,
            seeded(options.seed * 1000 + n),
            over,
            sent,
            tally,
          ),
      ),
    );
    const looking = look(base, accounts, sent, over, violations);
    life = await killUntil(over, life, nextLife, counts, () => startLife(dir, port));
    await Promise.all([sending, looking, life.up]);
    await settled(base, accounts, violations);
    const emails = await compare(base, accounts, sent, violations);
    await eventually(() => [...emails].every((id) => events.seen.has(`email.processed ${id}`)));
    for (const id of emails) {
      for (const name of [`email.received ${id}`, `email.processed ${id}`]) {
        const ids = events.seen.get(name);
        if (!ids) violations.push(`${name} was never delivered`);
        else if (ids.size > 1) violations.push(`${name} came under ${ids.size} ids`);
      }
    }
    violations.push(...events.wrong);
    // Refused events are retried within a second; after that nothing is due.
    await new Promise((done) => setTimeout(done, 2_500));
    await life.stop();
    await events.close();
    violations.push(...await scan(`${dir}/kv.sqlite`));
    return {
      seed: options.seed,
      ...tally,
      ...counts,
      emails: emails.size,
      events: events.seen.size,
      violations,
    };
  } finally {
    await Deno.remove(dir, { recursive: true }).catch(() => {});
  }

  /** The next life and how long it lasts; below 0: killed that long after its start began. */
  function nextLife(): { life: ServiceProcess; lastsMs: number } {
    const [least, most] = options.lifeMs;
    const dice = random();
    if (dice < options.fsyncShare) {
      const killAtFsync = 1 + Math.floor(random() * random() * 120);
      return { life: startLife(dir, port, killAtFsync), lastsMs: fsyncLifeMs };
    }
    // One in ten of the others ends during its start.
    const lastsMs = random() < 0.1 ? -random() * 300 : least + random() * (most - least);
    return { life: startLife(dir, port), lastsMs };
  }
}

/** Time for a life to reach its fsync. */
const fsyncLifeMs = 10_000;

/** Kills one life after the other; returns the last one, which is not killed. */
async function killUntil(
  over: () => boolean,
  first: ServiceProcess,
  next: () => { life: ServiceProcess; lastsMs: number },
  counts: {
    kills: number;
    killsAtFsync: number;
    killsWhileStarting: number;
    slowestStartMs: number;
  },
  last: () => ServiceProcess,
): Promise<ServiceProcess> {
  let life = first;
  for (let wait = 500; !over();) {
    const startedAt = Date.now();
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const died = life.exited.then(() => "died" as const);
    if (wait < 0) await Promise.race([pause(-wait), died]);
    else if (await life.up) {
      counts.slowestStartMs = Math.max(counts.slowestStartMs, Date.now() - startedAt);
      await Promise.race([pause(wait), died]);
    }
    const byItself = await Promise.race([died, pause(0).then(() => null)]);
    if (byItself) counts.killsAtFsync++;
    else if (wait < 0) counts.killsWhileStarting++;
    counts.kills++;
    await life.kill();
    ({ life, lastsMs: wait } = next());
  }
  await life.kill();
  return last();
}

async function get(base: string, path: string, key: string): Promise<Response | null> {
  return await fetch(base + path, { headers: { authorization: `Bearer ${key}` } }).catch(() =>
    null
  );
}

/** Reads listed emails while mail comes in: each must be complete. */
async function look(
  base: string,
  accounts: Account[],
  sent: Sent[],
  over: () => boolean,
  violations: string[],
): Promise<void> {
  for (let n = 0; !over(); n++) {
    const { key } = accounts[n % accounts.length];
    try {
      const list = await get(base, "/v1/api/emails?limit=5", key);
      if (list?.ok) {
        for (const { email_id, message_id } of (await list.json()).data) {
          const raw = await get(base, `/v1/api/emails/${email_id}/raw`, key);
          if (!raw) continue;
          if (raw.status !== 200) {
            await raw.body?.cancel();
            if (raw.status !== 503) violations.push(`${message_id} is listed, raw ${raw.status}`);
            continue;
          }
          const length = Number(raw.headers.get("content-length"));
          const bytes = await raw.bytes();
          const known = sent.find((each) => each.messageId === message_id);
          if (bytes.length === length && known && sha256(bytes) !== known.sha256) {
            violations.push(`${message_id} is listed with other bytes`);
          }
        }
      } else if (list) {
        await list.body?.cancel();
        if (list.status !== 503) violations.push(`the list answered ${list.status}`);
      }
    } catch { /* the service was killed while it answered */ }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until every email is parsed and indexed. */
export async function settled(
  base: string,
  accounts: Account[],
  violations: string[],
): Promise<void> {
  const done = await eventually(async () => {
    for (const { key } of accounts) {
      const answer = await fetch(`${base}/v1/api/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query: "sender", limit: 1 }),
      }).catch(() => null);
      if ((await answer?.json())?.pending !== 0) return false;
    }
    return true;
  });
  if (!done) violations.push("the backlog did not drain in time");
}

export async function eventually(check: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (await check()) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

/** Compares the lists with the sent mail; returns the ids of all emails. */
export async function compare(
  base: string,
  accounts: Account[],
  sent: Sent[],
  violations: string[],
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { key, addresses } of accounts) {
    const copies = new Map<string, number>();
    const threads = new Map<string, Set<string>>();
    let cursor = "";
    do {
      const page = await (await get(
        base,
        `/v1/api/emails?limit=100&cursor=${cursor}`.replace(
          /&cursor=$/,
          "",
        ),
        key,
      ))!.json();
      for (const email of page.data) {
        const known = sent.find((each) => each.messageId === email.message_id);
        const name = `${email.message_id} (${email.email_id})`;
        if (ids.has(email.email_id)) violations.push(`${name} is listed twice`);
        ids.add(email.email_id);
        if (!known) {
          violations.push(`${name} was never sent`);
          continue;
        }
        copies.set(known.messageId, (copies.get(known.messageId) ?? 0) + 1);
        const conversation = threads.get(known.conversation) ?? new Set();
        threads.set(known.conversation, conversation.add(email.thread_id));
        if (!email.processed) violations.push(`${name} was not processed`);
        const raw = await get(base, `/v1/api/emails/${email.email_id}/raw`, key);
        if (sha256(await raw!.bytes()) !== known.sha256) violations.push(`${name} has other bytes`);
      }
      cursor = page.meta.next_cursor ?? "";
    } while (cursor);
    for (const { messageId, recipients, acked } of sent) {
      const due = recipients.filter((each) => addresses.includes(each)).length;
      const found = copies.get(messageId) ?? 0;
      if (acked ? found !== due : found > due) {
        violations.push(`${messageId} is there ${found} times instead of ${due}`);
      }
    }
    for (const [conversation, found] of threads) {
      if (found.size > 1) violations.push(`${conversation} is in ${found.size} threads`);
    }
  }
  return ids;
}

/** Checks the store itself. */
async function scan(path: string): Promise<string[]> {
  const kv = await Deno.openKv(path);
  const wrong = await mailDisagreements(kv);
  kv.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const [{ integrity_check }] = database.prepare("PRAGMA integrity_check").all();
  database.close();
  if (integrity_check !== "ok") wrong.push(`integrity_check: ${integrity_check}`);
  return wrong;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
