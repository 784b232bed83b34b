import assert from "node:assert/strict";
import { isNight } from "../../../../nightly.ts";
import { createLog } from "../../../../../domain/core/log.ts";
import {
  endAbsorbing,
  findThread,
  resolveThread,
  type Thread,
} from "../../../../../domain/mail/record/threads/thread_aliases.ts";
import {
  joinThread,
  type UnthreadedMessage,
} from "../../../../../domain/mail/record/threads/threads.ts";
import { Database } from "../../../../../domain/store/database.ts";
import * as keys from "../../../../../domain/store/keys.ts";

const seeds = isNight ? 60 : 20;

const log = createLog({ level: "error", format: "json", write: () => {} });

interface Mail {
  id: string;
  names: string[];
  people: string[];
  isSent: boolean;
}

function arriving({ id, names, people, isSent }: Mail): UnthreadedMessage {
  return {
    userId: "u",
    direction: isSent ? "outbound" : "inbound",
    threadId: "",
    participants: new Map(people.map((each) => [each, `${each}@x.example`])),
    messageId: id,
    references: names,
    inReplyTo: [],
  };
}

/** The rule in its simplest form: threads keep everything, without limits. */
class Model {
  readonly threadOf = new Map<string, { people: Set<string> }>();
  private readonly threadsOf = new Map<
    string,
    { thread: { people: Set<string> }; isSent: boolean }[]
  >();

  get mostThreadsOfAnId(): number {
    return Math.max(...this.threadsOf.values().map((each) => each.length));
  }

  take(mail: Mail): void {
    const ids = [mail.id, ...mail.names.toReversed()];
    const candidates = ids.flatMap((id) => this.threadsOf.get(id) ?? []);
    const isShared = ({ people }: { people: Set<string> }) =>
      mail.people.some((each) => people.has(each));
    const home = candidates.find(({ thread, isSent }) => isSent || isShared(thread))?.thread ??
      { people: new Set<string>() };
    const merged = isShared(home)
      ? new Set(candidates.map(({ thread }) => thread).filter(isShared))
      : new Set([home]);
    const people = new Set([...merged].flatMap((each) => [...each.people]).concat(mail.people));
    home.people = people;
    for (const [id, thread] of this.threadOf) if (merged.has(thread)) this.threadOf.set(id, home);
    this.threadOf.set(mail.id, home);
    for (const [id, list] of this.threadsOf) {
      const first = list.find(({ thread }) => merged.has(thread));
      if (!first) continue;
      const isSent = list.some((each) => merged.has(each.thread) && each.isSent);
      const left = list.filter((each) => each === first || !merged.has(each.thread));
      this.threadsOf.set(id, left.map((each) => each === first ? { thread: home, isSent } : each));
    }
    for (const id of ids) {
      const list = this.threadsOf.get(id) ?? [];
      const isSent = mail.isSent && id === mail.id;
      const known = list.find(({ thread }) => thread === home);
      if (known) known.isSent ||= isSent;
      else this.threadsOf.set(id, [...list, { thread: home, isSent }]);
    }
  }
}

function seeded(seed: number): (below: number) => number {
  let state = seed * 2654435761 >>> 0;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) % below;
  };
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random(rest.length), 1)[0]);
}

/** Conversations whose messages name some earlier ones, and strangers who name ids that they know. */
function conversations(random: (below: number) => number, sendsToo: boolean) {
  const mails: (Mail & { conversation: number })[] = [];
  for (let conversation = 0; conversation < 4; conversation++) {
    const host = `host${conversation}`;
    const own: string[] = [];
    for (let n = 0; n < 8; n++) {
      const id = `<${n}.${conversation}@x>`;
      const names = own.filter(() => random(3) === 0);
      if (own.length > 0 && names.length === 0) names.push(own[random(own.length)]);
      const guests = Array.from(
        { length: random(n === 5 ? 14 : 3) },
        () => `guest${conversation}.${random(20)}`,
      );
      const isSent = sendsToo && random(4) === 0;
      mails.push({ id, names, people: [host, ...guests], isSent, conversation });
      own.push(id);
    }
  }
  const known = mails.filter(({ isSent }) => !isSent).map(({ id }) => id);
  for (let n = 0; n < 6; n++) {
    const names = Array.from({ length: 3 }, () => known[random(known.length)]);
    mails.push({
      id: random(2) ? `<${n}.eve@x>` : names[0],
      names,
      people: [`eve${n % 3}`],
      isSent: false,
      conversation: -1,
    });
  }
  return mails;
}

/** Stores mails, by two processes in turn if `processes` is 2; returns the thread of each. */
async function threadsOf(mails: readonly Mail[], processes: number): Promise<string[]> {
  using kv = await Deno.openKv(":memory:");
  const database = Array.from(
    { length: processes },
    () => new Database(kv, { log, exclusive: processes === 1 }),
  );
  const given: string[] = [];
  for (const [n, mail] of mails.entries()) {
    const founded = `t${1000 + n}`;
    const join = (tx: Parameters<typeof joinThread>[0]) => joinThread(tx, arriving(mail), founded);
    given.push((await database[n % processes].transact(join)).threadId);
  }
  return await Promise.all(given.map((each) => resolveThread(database[0], "u", each)));
}

/** For each mail, the place of the first mail of its thread. */
function partition(threads: readonly unknown[]): number[] {
  return threads.map((each) => threads.indexOf(each));
}

for (const processes of [1, 2]) {
  Deno.test(`threads agree with a model of the rule in any order of arrival, over ${processes} process(es)`, async () => {
    let compared = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const random = seeded(seed);
      const mails = shuffled(conversations(random, true), random)
        // The model identifies mails by id: an id that is used twice is one mail.
        .filter(({ id }, n, all) => all.findIndex((each) => each.id === id) === n);
      const model = new Model();
      for (const mail of mails) model.take(mail);
      if (model.mostThreadsOfAnId > 4) continue;
      compared++;
      const expected = partition(mails.map(({ id }) => model.threadOf.get(id)));
      assert.deepEqual(partition(await threadsOf(mails, processes)), expected, `seed ${seed}`);
    }
    assert.ok(compared > seeds / 2, `${compared} compared`);
  });
}

Deno.test("each conversation ends as one thread in any order of arrival, without strangers", async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seeded(seed);
    const mails = shuffled(conversations(random, false), random);
    const threads = await threadsOf(mails, 1);
    for (let conversation = 0; conversation < 4; conversation++) {
      const own = new Set(threads.filter((_, n) => mails[n].conversation === conversation));
      const others = new Set(threads.filter((_, n) => mails[n].conversation !== conversation));
      assert.equal(own.size, 1, `seed ${seed}, conversation ${conversation}`);
      assert.ok(own.isDisjointFrom(others), `seed ${seed}, conversation ${conversation}`);
    }
  }
});

Deno.test("a chain of 1,000 merges leads from every id to the oldest thread, and reading shortens it", async () => {
  using kv = await Deno.openKv(":memory:");
  const database = new Database(kv, { log, exclusive: true });
  const count = 1_000;
  const idOf = (n: number) => `t${10_000 + n}`;
  const take = (mail: Pick<Mail, "id" | "names">, founded: string) =>
    database.transact((tx) =>
      joinThread(tx, arriving({ ...mail, people: ["bob"], isSent: false }), founded)
    );
  for (let n = 0; n <= count; n++) await take({ id: `<${n}@x>`, names: [] }, idOf(n));
  // Each merge joins the two newest threads: the chain from the newest grows by a step.
  for (let n = count; n > 0; n--) {
    await take({ id: `<m${n}@x>`, names: [`<${n}@x>`, `<${n - 1}@x>`] }, "t99999");
    await database.transact((tx) => endAbsorbing(tx, "u", idOf(n)));
  }
  const stepsFrom = async (id: string) => {
    let steps = 0;
    for (let at: string | undefined = id; at !== undefined; steps++) {
      at = (await database.get<Thread>(keys.thread("u", at)))?.alias;
    }
    return steps - 1;
  };
  for (const n of [count, count / 2, 1]) {
    assert.equal(await findThread(database, "u", idOf(n)), idOf(0));
    assert.ok(await stepsFrom(idOf(n)) <= 8, `${await stepsFrom(idOf(n))} steps from ${n}`);
  }
  const { threadId } = await take({ id: "<last@x>", names: [`<${count - 1}@x>`] }, "t99999");
  assert.equal(threadId, idOf(0));
});
