import assert from "node:assert/strict";
import { openEmbeddedIndex } from "../../../../../adapters/search_index/embedded.ts";
import { systemClock } from "../../../../../domain/core/clock.ts";
import { createParsePool } from "../../../../../domain/mail/read/parsing/parse_pool.ts";
import type { Mailer } from "../../../../../domain/ports/mailer.ts";
import {
  account,
  FakeClock,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../../../../service.ts";
import { type Answer, callsOf, given } from "./approvals.ts";
import { type Death, Life } from "./mortal.ts";

/** A draft at the start of the calls, and the callers. */
interface Stage {
  test: TestService;
  owner: TestAccount;
  draft_id: string;
  content_hash: string;
}

interface Play {
  name: string;
  /** The draft before the calls. */
  draft: { approval?: true; later?: true };
  calls: ((stage: Stage) => Promise<Answer>)[];
  /** The next call begins after this many turns of the event loop; Infinity: after the answer. All are tried. */
  apart?: readonly number[];
  /** The allowed final states of the draft, after another instance has run for a while. */
  ends: readonly string[];
}

const approve = ({ test, owner, draft_id, content_hash }: Stage) =>
  callsOf(test, owner).person("POST", `/drafts/${draft_id}/approve`, { content_hash });
const send = ({ test, owner, draft_id }: Stage) =>
  callsOf(test, owner).agent("POST", `/drafts/${draft_id}/send`, {});
const cancel = ({ test, owner, draft_id }: Stage) =>
  callsOf(test, owner).agent("DELETE", `/drafts/${draft_id}`);
const change = ({ test, owner, draft_id }: Stage) =>
  callsOf(test, owner).agent("PATCH", `/drafts/${draft_id}`, { body_text: "changed" });

const dueMs = 1_000;
const toAnn = { to: "ann@one.example", body_text: "as it was" };

const plays: Play[] = [
  {
    name: "approved twice at once",
    draft: { approval: true },
    calls: [approve, approve],
    ends: ["pending_approval", "sent"],
  },
  {
    name: "approved while it is changed",
    draft: { approval: true },
    calls: [approve, change],
    apart: [0, Infinity],
    ends: ["pending_approval", "sent"],
  },
  {
    name: "approved and canceled at once",
    draft: { approval: true },
    calls: [approve, cancel],
    apart: [0, Infinity],
    ends: ["pending_approval", "sent", "canceled"],
  },
  {
    name: "approved before its time",
    draft: { approval: true, later: true },
    calls: [approve],
    ends: ["pending_approval", "sent"],
  },
  {
    name: "sent as a draft",
    draft: {},
    calls: [send, send],
    ends: ["draft", "sent"],
  },
  {
    name: "sent at its time",
    draft: { later: true },
    calls: [],
    ends: ["sent"],
  },
  {
    name: "sent and canceled at its time",
    draft: { later: true },
    calls: [send, cancel],
    apart: [0, Infinity],
    ends: ["sent", "canceled"],
  },
];

/** So many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((done) => setTimeout(done, 0));
}

/** Parts that are slow to start; all instances share them. */
function lentParts() {
  const index = openEmbeddedIndex({ path: null });
  const parsing = createParsePool(systemClock);
  const lent = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        if (name === "close") return () => Promise.resolve();
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return {
    parts: { searchIndex: lent(index), parsing: lent(parsing) },
    async [Symbol.asyncDispose]() {
      await index.close();
      parsing.close();
    },
  };
}

/** A relay that records the Message-ID of each accepted mail of the account. Notices have a test of their own. */
function relayOf(life: Life, taken: string[]): Mailer {
  return {
    isOutbox: false,
    send: ({ envelopes, raw }) =>
      life.change(() => {
        const [, id] = /^Message-ID: (\S+)/mi.exec(new TextDecoder().decode(raw)) ?? [];
        if (envelopes.some(({ from }) => !from.startsWith("noreply@"))) taken.push(id);
        return Promise.resolve({
          recipients: envelopes.map(({ to }) => ({
            ...{ recipient: to, outcome: "sent" as const, response: "250 taken" },
          })),
        });
      }),
    check: () => Promise.resolve(true),
    close: () => {},
  };
}

interface Ending {
  /** The commits and calls of the relay until all was done, or until the death. */
  calls: number;
  draft: { status: string; email_id: string | null; body_text: string };
  answers: (Answer | null)[];
  /** Message-IDs that the relay took, and the emails that the account sees as sent. */
  taken: string[];
  sent: string[];
}

/** Makes the calls on an instance that dies, then lets another one continue with its store. */
async function played(
  play: Play,
  parts: ReturnType<typeof lentParts>["parts"],
  fate: { at: number; death: Death; apart: number },
): Promise<Ending> {
  using kv = await Deno.openKv(":memory:");
  const life = new Life(), taken: string[] = [];
  const test = await testService({
    ...{ kv: life.store(kv), exclusive: true },
    parts: { ...parts, mailer: relayOf(life, taken) },
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, policy } = callsOf(test, owner);
  const { approval, later } = play.draft;
  if (approval) await policy(box.mailbox_id, { approval: "new_recipients" });
  const send_at = later && new Date(test.clock.now() + dueMs).toISOString();
  const path = approval ? "/emails/send" : "/drafts";
  const { draft_id, content_hash } = await given(
    agent("POST", path, { mailbox_id: box.mailbox_id, ...toAnn, ...later ? { send_at } : {} }),
  );
  await test.settle();

  life.endAt(fate.at, fate.death);
  const answers: (Answer | null)[] = [];
  const stage = { test, owner, draft_id, content_hash };
  const all = async () => {
    if (later && !approval) test.clock.advance(dueMs);
    const made: Promise<unknown>[] = [];
    for (const [n, call] of play.calls.entries()) {
      answers[n] = null;
      if (fate.apart === Infinity) await Promise.all(made);
      else if (n > 0) await turns(fate.apart);
      made.push(call(stage).then((answer) => answers[n] = answer));
    }
    await Promise.all(made);
    if (later && approval) test.clock.advance(dueMs);
    for (let round = 0; round < 3; round++) {
      await test.service.database.settled();
      await test.dispatcher.settled();
      await turns(1);
    }
  };
  await Promise.race([all(), life.over]);
  const { calls } = life;
  // The dead instance can change nothing any more: its pending calls get no answer.
  life.endAt(1, "before");
  void life.change(() => Promise.resolve());
  test.service.waiting.stop();
  test.service.attachmentTexts.close();
  await test.service.passwords.close();

  const heir = new Life();
  const clock = new FakeClock(test.clock.now());
  await using next = await testService({
    ...{ kv, exclusive: true },
    parts: { ...parts, clock, mailer: relayOf(heir, taken) },
  });
  await next.advance(60_000);
  const seen = callsOf(next, owner);
  const draft = await given(seen.agent("GET", `/drafts/${draft_id}`));
  const rows = await given(seen.agent("GET", "/emails?direction=outbound"));
  const ending = { calls, draft, answers, taken: [...new Set(taken)], sent: [] as string[] };
  for (const { email_id } of rows) {
    const { message_id, status } = await given(seen.agent("GET", `/emails/${email_id}`));
    assert.equal(status, "sent");
    ending.sent.push(message_id);
  }
  // Acknowledged changes are durable, and the same call gives the same answer.
  const again = { ...stage, test: next };
  if (draft.status === "sent") {
    const repeated = await (approval ? approve(again) : send(again));
    if (draft.body_text === toAnn.body_text) {
      assert.equal(repeated.body.data.email_id, draft.email_id);
    }
  }
  return ending;
}

// SPEC: drafts.once, approval.races, later.cancel
Deno.test("a draft is sent once or not at all, and its status says which, if the process dies at any commit or delivery", async (t) => {
  await using lent = lentParts();
  for (const play of plays) {
    await t.step(play.name, async () => {
      const died: number[] = [];
      for (const apart of play.apart ?? [0]) {
        for (let at = 1, isDead = true; isDead; at++) {
          for (const death of ["before", "after"] as const) {
            const ending = await played(play, lent.parts, { at, death, apart });
            isDead = ending.calls >= at;
            const what = `${play.name}, ${apart} apart, dies ${death} call ${at}`;
            check(play, ending, `${what}: ${JSON.stringify(ending)}`);
          }
          died.push(at);
        }
      }
      // There are at least its commit, the delivery and the record of the delivery.
      assert.ok(Math.max(...died) > 3, `${play.name} died at ${died} calls only`);
    });
  }
});

/** Draft, email, relay and answers agree. */
function check(play: Play, { draft, taken, sent, answers }: Ending, what: string): void {
  assert.ok(play.ends.includes(draft.status), what);
  const wasSent = draft.status === "sent";
  assert.deepEqual(taken, sent, what);
  assert.deepEqual([sent.length, draft.email_id !== null], [wasSent ? 1 : 0, wasSent], what);
  for (const answer of answers) {
    if (!answer || answer.status >= 300) continue;
    const { status, email_id } = answer.body.data;
    if (email_id) assert.equal(email_id, draft.email_id, what);
    if (status === "canceled") assert.equal(draft.status, "canceled", what);
  }
}
