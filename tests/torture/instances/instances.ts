import { allChanges, PageFollower, StreamFollower } from "../../followers.ts";
import { faultKinds, type Faults } from "../../remote_kv/faults.ts";
import { type RemoteProcess, startRemote } from "../../remote_kv/remote_process.ts";
import { call, freePort, type ServiceProcess, startProcess } from "../../service_process.ts";
import { receiveEvents } from "../event_receiver.ts";
import { openListeningAccount } from "../life.ts";
import { mailDisagreements } from "../mail_scan.ts";
import { seeded } from "../seeded.ts";
import { sendMail, type Sent, type Tally } from "../sender.ts";
import { compare, eventually, settled } from "../torture.ts";
import { compareCreated, create, type Created, nothingCreated } from "./creator.ts";

export interface InstancesOptions {
  seed: number;
  /** How long mail is sent. */
  seconds: number;
  senders: number;
  /**
   * Whether to wait until the others take the jobs of the killed instance, 30 s later. If false, only rows that an
   * acknowledgement promises are compared.
   */
  isComplete: boolean;
  /** A request that took longer hangs. */
  hangsMs: number;
  /** How late the answer to a faulted commit comes: before the kill, and after it. */
  lateMs: readonly [number, number];
  /** For how long the database is away again and again, at least and at most. Absent: it is not. */
  awayMs?: readonly [number, number];
  /** On a busy machine mail is sent for longer, at most a minute more, until this much has happened. */
  least?: { acked: number; mailboxes: number };
}

export interface InstancesReport extends Tally {
  seed: number;
  commits: number;
  faults: number;
  emails: number;
  events: number;
  mailboxesCreated: number;
  keysRevoked: number;
  searches: number;
  changes: number;
  reconnections: number;
  violations: string[];
}

const processes = 3;
/** The share of commits that are faulted, evenly over the kinds. */
const faultShare = 0.09;
/** Reconnections of each follower. */
const breaks = 50;

/**
 * Three processes on a stand-in of a remote database, whose commits are faulted; one of them is killed with kill -9 and
 * started again. Mail is sent, mailboxes and keys are created, and two followers read the changes. Then each
 * acknowledged message is there once, byte for byte, its events came under one id, what was created is there once, the
 * counters equal a recount, and the followers saw every change once, in order.
 */
export async function tortureInstances(options: InstancesOptions): Promise<InstancesReport> {
  const random = seeded(options.seed);
  const dir = await Deno.makeTempDir();
  const events = receiveEvents(seeded(options.seed + 1));
  await using remote = await startRemote("--seed", String(options.seed));
  const env = { ...remote.env, WEBHOOK_ALLOW_INSECURE: "1" };
  const ports = Array.from({ length: processes }, freePort);
  const lives = ports.map((port) => startProcess({ dir, port, env }));
  const sent: Sent[] = [];
  const tally: Tally = { posts: 0, acked: 0, unknown: 0, refused: 0, again: 0, slowestMs: 0 };
  const violations: string[] = [];
  try {
    for (const { up } of lives) if (!await up) throw new Error("a process did not come up");
    // The one that is being killed answers nothing: clients find another.
    let down = -1;
    const base = () => {
      const up = lives.filter((_, n) => n !== down);
      return up[Math.floor(random() * up.length)].base;
    };
    const accounts = [
      await openListeningAccount(base(), "alpha", 2, events.url),
      await openListeningAccount(base(), "bravo", 1, events.url),
    ];
    const [{ key }] = accounts;
    const followers = [new PageFollower(base, key), new StreamFollower(base, key)];
    const following = followers.map((each) => each.run());
    const endAt = Date.now() + options.seconds * 1_000;
    const made = nothingCreated();
    const { acked, mailboxes } = options.least ?? { acked: 0, mailboxes: 0 };
    const over = () => {
      const lateMs = Date.now() - endAt;
      const isEnough = tally.acked >= acked && made.mailboxes.acknowledged.size >= mailboxes;
      return lateMs >= 60_000 || (lateMs >= 0 && isEnough);
    };
    const [lateMs, laterMs] = options.lateMs;
    await remote.order({ clear: true, faults: faultsOf(lateMs) });
    const addresses = accounts.flatMap((each) => each.addresses);
    const working = [
      ...Array.from(
        { length: options.senders },
        (_, n) =>
          sendMail(`s${n}`, base, addresses, seeded(options.seed * 1000 + n), over, sent, tally),
      ),
      ...["one", "two"].map((name) => create(name, base, key, over, made, violations)),
      breakOff(followers, options.seconds * 1_000 / breaks, over),
    ];
    // Not while a process starts: a start does not wait for so long.
    const awayTimes = new AwayTimes(remote, options.awayMs ?? null, seeded(options.seed + 2));
    awayTimes.begin(faultsOf(lateMs));
    await pause(options.seconds * 400);
    await awayTimes.end();
    await lives[1].kill();
    down = 1;
    lives[1] = startProcess({ dir, port: ports[1], env });
    const isUp = await lives[1].up;
    down = -1;
    if (!isUp) violations.push("the killed process did not come up again");
    const first = await remote.order({ faults: faultsOf(laterMs) });
    awayTimes.begin(faultsOf(laterMs));
    await Promise.all(working);
    await awayTimes.end();
    const second = await remote.order({ faults: {} });
    violations.push(...second.refusals);
    const [account] = accounts;
    await eventually(() => areBack(lives, account.accessToken));
    violations.push(...await compareAll(lives, account.accessToken, key, made, options));
    if (options.isComplete) await settled(lives[0].base, accounts, violations);
    const emails = await compare(lives[0].base, accounts, sent, violations);
    const due = [...emails].flatMap((id) => [`email.received ${id}`, `email.processed ${id}`]);
    if (options.isComplete) {
      await eventually(() => due.every((name) => events.seen.has(name)));
    }
    for (const name of due) {
      const ids = events.seen.get(name);
      if (!ids && options.isComplete) violations.push(`${name} was never delivered`);
      if (ids && ids.size > 1) violations.push(`${name} came under ${ids.size} ids`);
    }
    violations.push(...events.wrong);
    violations.push(...await compareFollowers(lives[2].base, key, followers, options));
    for (const each of followers) each.stop();
    // The loop over a body that was aborted sometimes never ends (Deno 2.9.6).
    await Promise.race([Promise.all(following), pause(2_000)]);
    // Refused events are retried within a second; then nothing is due.
    await pause(options.isComplete ? 2_500 : 0);
    await Promise.all(lives.map((each) => each.stop()));
    violations.push(...await scan(remote, options.isComplete));
    const slowestMs = Math.max(tally.slowestMs, made.slowestMs);
    if (slowestMs > options.hangsMs) violations.push(`a request took ${Math.round(slowestMs)} ms`);
    return {
      seed: options.seed,
      ...tally,
      slowestMs: Math.round(slowestMs),
      commits: second.costs.writes,
      faults: first.faultsInjected + second.faultsInjected,
      emails: emails.size,
      events: events.seen.size,
      mailboxesCreated: made.mailboxes.acknowledged.size,
      keysRevoked: made.revoked.size,
      searches: made.searches.acknowledged,
      changes: followers[0].seen.length,
      reconnections: Math.min(...followers.map((each) => each.breaks)),
      violations: options.isComplete
        ? violations
        : violations.filter((each) =>
          !/was not processed|was never processed|is still due/.test(each)
        ),
    };
  } finally {
    await Promise.all(lives.map((each) => each.kill()));
    await events.close();
    await Deno.remove(dir, { recursive: true });
  }
}

function faultsOf(lateMs: number): Faults {
  const share = faultShare / faultKinds.length;
  return { writes: Object.fromEntries(faultKinds.map((kind) => [kind, share])), lateMs };
}

/** Takes the database away about every four seconds, from `begin` to `end`. Commits in flight then have an open outcome. */
class AwayTimes {
  private running = Promise.resolve();
  private ended = Promise.withResolvers<"ended">();

  constructor(
    private readonly remote: RemoteProcess,
    private readonly awayMs: readonly [number, number] | null,
    private readonly random: () => number,
  ) {}

  begin(faults: Faults): void {
    if (!this.awayMs) return;
    this.ended = Promise.withResolvers();
    this.running = this.run(faults, this.awayMs);
  }

  async end(): Promise<void> {
    this.ended.resolve("ended");
    await this.running;
  }

  private async run(faults: Faults, [least, most]: readonly [number, number]): Promise<void> {
    const isOver = async (ms: number) =>
      await Promise.race([this.ended.promise, pause(ms)]) === "ended";
    while (!await isOver(8_000 * this.random())) {
      await this.remote.order({ faults: { all: "down" } });
      await isOver(least + this.random() * (most - least));
      await this.remote.order({ faults });
    }
  }
}

async function breakOff(
  followers: readonly { breakOff(): void }[],
  everyMs: number,
  until: () => boolean,
): Promise<void> {
  while (!until()) {
    await pause(everyMs);
    for (const each of followers) each.breakOff();
  }
}

/** Each follower has seen the list of all changes, in its order. */
async function compareFollowers(
  base: string,
  key: string,
  followers: readonly { name: string; seen: string[] }[],
  { isComplete }: InstancesOptions,
): Promise<string[]> {
  const all = await allChanges(base, key, isComplete ? 5 : 1);
  await eventually(() => followers.every(({ seen }) => seen.length >= all.length));
  return followers.flatMap(({ name, seen }) => {
    const at = all.findIndex((id, n) => seen[n] !== id);
    // More may have come since the list was read.
    if (at === -1 && new Set(seen).size === seen.length) return [];
    return [`a follower of ${name} saw ${seen.length} of ${all.length} changes, equal up to ${at}`];
  });
}

/** Whether each process has noticed that the faults are over. */
async function areBack(lives: readonly ServiceProcess[], accessToken: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const back = await Promise.all(lives.map(async ({ base }) => {
    const answer = await fetch(`${base}/api/billing/usage`, { headers });
    await answer.body?.cancel();
    return answer.ok;
  }));
  return back.every((each) => each);
}

/** What was created, asked of each process. */
async function compareAll(
  lives: readonly ServiceProcess[],
  accessToken: string,
  key: string,
  made: Created,
  { awayMs }: InstancesOptions,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { base } of lives) {
    const usage = await call(`${base}/api/billing/usage`, undefined, accessToken, "GET");
    const { searchesUsed } = usage.data;
    for (const name of ["one", "two"]) {
      wrong.push(...await compareCreated(base, key, name, made, searchesUsed, !!awayMs));
    }
  }
  return wrong;
}

/** Checks the rows of the store, without the code under test. */
async function scan(remote: RemoteProcess, isComplete: boolean): Promise<string[]> {
  const before = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  if (before === undefined) Deno.env.set("DENO_KV_ACCESS_TOKEN", "any");
  const kv = await Deno.openKv(remote.url);
  const wrong = await mailDisagreements(kv);
  kv.close();
  // The bytes that a killed process had begun are swept after an hour.
  const ofLater = /is pending$|has no message$/;
  const ofJobs = /was never processed$|is still due$/;
  return wrong.filter((each) => !ofLater.test(each) && (isComplete || !ofJobs.test(each)));
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
