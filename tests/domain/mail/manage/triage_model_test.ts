import assert from "node:assert/strict";
import { isNight } from "../../../nightly.ts";
import { openEmbeddedIndex } from "../../../../adapters/search_index/embedded.ts";
import type { SearchIndex } from "../../../../domain/ports/search_index.ts";
import { rowsThatMention } from "../../mailboxes/store_scan.ts";
import { mortalKv } from "../../mailboxes/mortal_kv.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";

interface Mail {
  size: number;
  mailboxId: string;
  isRead: boolean;
  labels: Set<string>;
}

/** The expected state: the mail that exists. */
type Model = Map<string, Mail>;
type Box = { mailbox_id: string; email_address: string };

/** mulberry32 */
function randomOf(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function ask(test: TestService, owner: TestAccount, method: string, path: string, json?: object) {
  return test.request(path, { method, token: owner.key, ...(json ? { json } : {}) });
}

/** A list of all pages, by cursor or by offset. */
async function listed(
  test: TestService,
  owner: TestAccount,
  query: string,
  by: "cursor" | "offset",
) {
  const ids: string[] = [];
  for (let at = "";;) {
    const path = `/v1/api/emails?order=asc&limit=7&${query}${at}`;
    const body = await (await ask(test, owner, "GET", path)).json();
    ids.push(...body.data.map(({ email_id }: { email_id: string }) => email_id));
    if (!body.meta.has_more) return ids;
    assert.ok(body.data.length > 0, `an empty page, and more to come: ${path}`);
    at = by === "cursor" ? `&cursor=${body.meta.next_cursor}` : `&offset=${ids.length}`;
  }
}

/** As deepEqual(), which takes minutes to describe two different long lists. */
function assertSame(actual: unknown, expected: unknown, what = ""): void {
  const [one, other] = [actual, expected].map((each) => JSON.stringify(each));
  if (one !== other) assert.fail(`${what} ${one.slice(0, 1_500)} is not ${other.slice(0, 1_500)}`);
}

/**
 * Asserts that lists, threads, filters, search, counters and storage agree with the model, and that nothing is left of
 * deleted mail.
 */
async function assertAgrees(
  test: TestService,
  { owner, boxes, model, gone, index }: {
    owner: TestAccount;
    boxes: Box[];
    model: Model;
    gone: Set<string>;
    index: SearchIndex;
  },
): Promise<void> {
  const idsOf = (passes: (mail: Mail) => boolean) =>
    [...model].filter(([_id, mail]) => passes(mail)).map(([id]) => id).sort();
  assertSame(await listed(test, owner, "", "cursor"), idsOf(() => true));
  for (const { mailbox_id } of boxes) {
    const its = idsOf((mail) => mail.mailboxId === mailbox_id);
    for (const by of ["cursor", "offset"] as const) {
      assertSame(await listed(test, owner, `mailbox_id=${mailbox_id}`, by), its, by);
    }
    const { value } = await test.kv.get<{ emails: number; rows: number }>(
      ["mailbox_stats", owner.userId, mailbox_id],
    );
    assertSame([value?.emails, value?.rows], [its.length, its.length]);
  }
  for (const label of ["a", "b"]) {
    const its = idsOf(({ labels }) => labels.has(label));
    assertSame(await listed(test, owner, `label=${label}`, "cursor"), its);
  }
  assertSame(await listed(test, owner, "is_read=true", "cursor"), idsOf((m) => m.isRead), "read");
  const threads = new Map<string, string[]>();
  for (const id of model.keys()) {
    const { thread_id } = await data(ask(test, owner, "GET", `/v1/api/emails/${id}`));
    threads.set(thread_id, [...threads.get(thread_id) ?? [], id]);
  }
  for (const [id, members] of threads) {
    const { thread } = await data(ask(test, owner, "GET", `/v1/api/threads/${id}`));
    const shown = thread.map(({ email_id }: { email_id: string }) => email_id);
    assertSame(shown.sort(), members.sort());
  }
  const query = { userId: owner.userId, text: "quixotry", filters: {}, window: 1_000 };
  const { hits } = await index.search(query);
  assertSame(hits.map(({ emailId }) => emailId).sort(), idsOf(() => true), "index");
  const { value: stored } = await test.kv.get<number>(["storage", owner.userId]);
  assert.equal(stored ?? 0, [...model.values()].reduce((sum, { size }) => sum + size, 0));
  const left = (await rowsThatMention(test.kv, gone)).map((key) => key.split(" ")[0]);
  const expected = new Set([
    "arrivals",
    "emails_by_delivery",
    "email_checkpoints",
    "mailbox_stats",
    // The id of a claim is known for a week, so that its late end is CLAIM_LOST.
    "claims_by_id",
  ]);
  assertSame([...new Set(left)].filter((table) => !expected.has(table)), []);
  const chunks = await Array.fromAsync(test.kv.list({ prefix: ["blob_chunks"] }));
  assert.equal(new Set(chunks.map(({ key }) => key[1])).size, model.size);
}

/** A change of one email; null if the process died in it. */
async function change(
  test: TestService,
  owner: TestAccount,
  model: Model,
  gone: Set<string>,
  id: string,
  kind: number,
): Promise<void> {
  const path = `/v1/api/emails/${id}`;
  const mail = model.get(id)!;
  if (kind < 4) {
    const marks = [
      { is_read: true, add_labels: ["a"] },
      { is_read: false },
      { add_labels: ["b", "c"], remove_labels: ["a"] },
      { remove_labels: ["b"] },
    ][kind];
    const answer = await ask(test, owner, "PATCH", path, marks);
    await answer.body?.cancel();
    if (answer.status !== 200) return;
    mail.isRead = marks.is_read ?? mail.isRead;
    for (const label of marks.add_labels ?? []) mail.labels.add(label);
    for (const label of marks.remove_labels ?? []) mail.labels.delete(label);
    return;
  }
  const answer = await ask(test, owner, "DELETE", path);
  await answer.body?.cancel();
  if (answer.status !== 200) return;
  model.delete(id);
  gone.add(id);
}

/** The open claims by email, and the acked emails. */
class ClaimModel {
  readonly held = new Map<string, string>();
  readonly acked = new Set<string>();
  /** Released at this moment: the next claim may come before the answer. */
  private readonly letGo = new Set<string>();

  constructor(private readonly test: TestService, private readonly owner: TestAccount) {}

  async claim({ mailbox_id }: Box, limit: number): Promise<string[]> {
    const { test, owner } = this;
    const path = `/v1/api/mailboxes/${mailbox_id}/claims`;
    const claims = await data(ask(test, owner, "POST", path, { limit, lease_seconds: 3_600 }));
    return claims.map(({ claim_id, email }: { claim_id: string; email: { email_id: string } }) => {
      const id = email.email_id;
      assert.ok(!this.acked.has(id), "an acked email was claimed again");
      assert.ok(!this.held.has(id) || this.letGo.has(id), "an email has two holders");
      this.held.set(id, claim_id);
      return id;
    });
  }

  /** Ends the claim of an email, which may be deleted meanwhile. */
  async end(id: string, how: "ack" | "nack"): Promise<void> {
    const claim = this.held.get(id)!;
    if (how === "nack") this.letGo.add(id);
    const body = how === "nack" ? { delay_seconds: 0 } : {};
    const path = `/v1/api/claims/${claim}/${how}`;
    const answer = await ask(this.test, this.owner, "POST", path, body);
    await answer.body?.cancel();
    assert.equal(answer.status, 200);
    this.letGo.delete(id);
    if (this.held.get(id) === claim) this.held.delete(id);
    if (how === "ack") this.acked.add(id);
  }
}

/** A message that answers some of the earlier ones, so that threads join and merge. */
function newMessage(n: number, random: (below: number) => number): string {
  const references = Array.from({ length: random(3) }, () => `<m${random(n + 1)}@x.example>`);
  return message({
    "Message-ID": `<m${n}@x.example>`,
    ...(references.length > 0 ? { References: references.join(" ") } : {}),
  }, random(20) === 0 ? `quixotry ${n} ${"long ".repeat(20_000)}` : `quixotry ${n}`);
}

for (const seed of isNight ? [1, 2, 3] : [1]) {
  Deno.test(`after marking, labelling, claiming and deleting during indexing, merging and purging everything is correct (${seed})`, async () => {
    const random = randomOf(seed);
    const inner = openEmbeddedIndex({ path: null });
    const index: SearchIndex = {
      ...inner,
      async add(emails) {
        // An index is slow at times: marks and deletions come meanwhile.
        if (random(2) === 0) await new Promise((done) => setTimeout(done, random(15)));
        await inner.add(emails);
      },
    };
    // Counters stand in rows of their shards over several instances.
    await using test = await testService({ instances: 1, parts: { searchIndex: index } });
    const owner = await account(test);
    const boxes = [await mailbox(test, owner), await mailbox(test, owner)];
    const model: Model = new Map(), gone = new Set<string>();
    const claims = new ClaimModel(test, owner);
    for (let n = 0, round = 0; round < 50; round++) {
      const busy = new Set<string>();
      const work: Promise<unknown>[] = [];
      for (let i = 0; i < 3; i++) {
        const raw = newMessage(n++, random);
        const box = boxes[random(2)];
        work.push(
          deliver(test, box.email_address, raw).then(({ email_id, disposition }) => {
            assert.equal(disposition, "accepted");
            const size = new TextEncoder().encode(raw).length;
            const mail = {
              size,
              mailboxId: box.mailbox_id,
              isRead: false,
              labels: new Set<string>(),
            };
            model.set(email_id, mail);
          }),
        );
      }
      for (const id of [...claims.held.keys()].slice(0, 3)) {
        work.push(claims.end(id, random(3) === 0 ? "nack" : "ack"));
      }
      for (const box of boxes) work.push(claims.claim(box, 1 + random(2)));
      const known = [...model.keys()];
      for (let i = 0; i < 6 && known.length > 0; i++) {
        const id = known[
          random(3) === 0
            ? random(known.length)
            : known.length - 1 - random(Math.min(10, known.length))
        ];
        if (busy.has(id)) {
          continue;
        }
        busy.add(id);
        work.push(change(test, owner, model, gone, id, random(6)));
      }
      await Promise.all(work);
      if (random(5) === 0) await test.advance(6_000);
    }
    // A job whose bytes were purged while it ran finds the email gone when it is tried again.
    for (let n = 0; n < 5; n++) await test.advance(60_000);
    assert.ok(gone.size > 20 && model.size > 20, `${gone.size} deleted, ${model.size} left`);
    for (const id of [...claims.held.keys()]) await claims.end(id, "nack");
    // If an email was deleted before its claim was answered, nobody ends the claim.
    await test.advance(3_700_000);
    const claimed: string[] = [];
    for (const box of boxes) {
      for (let page = [""]; page.length > 0;) claimed.push(...page = await claims.claim(box, 50));
    }
    assertSame(claimed.sort(), [...model.keys()].filter((id) => !claims.acked.has(id)).sort());
    for (const id of claimed) await claims.end(id, "ack");
    assert.ok(claims.acked.size > 50, `${claims.acked.size} acked`);
    await assertAgrees(test, { owner, boxes, model, gone, index: inner });
  });
}

Deno.test("after marks and deletions with kills at any commit everything is correct", async () => {
  const random = randomOf(9);
  const index = { ...openEmbeddedIndex({ path: null }), close: () => Promise.resolve() };
  const kv = await Deno.openKv(":memory:");
  const model: Model = new Map(), gone = new Set<string>();
  let owner: TestAccount | undefined;
  let boxes: Box[] = [];
  {
    await using test = await testService({ kv, parts: { searchIndex: index } });
    owner = await account(test);
    boxes = [await mailbox(test, owner)];
    for (let n = 0; n < 60; n++) {
      const raw = newMessage(n, random);
      const { email_id } = await deliver(test, boxes[0].email_address, raw);
      const size = new TextEncoder().encode(raw).length;
      const place = { size, mailboxId: boxes[0].mailbox_id };
      model.set(email_id, { ...place, isRead: false, labels: new Set() });
    }
    await test.settle();
  }
  const { key } = owner;
  for (let kills = 0; kills < 12; kills++) {
    const mortal = mortalKv(kv, 3 + random(12));
    await using test = await testService({ kv: mortal.kv, parts: { searchIndex: index } });
    for (let i = 0; i < 6 && !mortal.isDead(); i++) {
      const ids = [...model.keys()];
      await change(test, owner, model, gone, ids[random(ids.length)], random(8))
        .catch(() => {});
    }
    await test.dispatcher.stop();
  }
  await using test = await testService({ kv, parts: { searchIndex: index } });
  await test.advance(120_000);
  // A change whose answer was lost has happened or not.
  for (const [id, mail] of model) {
    const answer = await test.request(`/v1/api/emails/${id}`, { token: key });
    const body = await answer.json();
    if (answer.status === 404) {
      model.delete(id);
      gone.add(id);
    } else {
      mail.isRead = body.data.is_read;
      mail.labels = new Set(body.data.labels);
    }
  }
  assert.ok(gone.size > 5 && model.size > 5, `${gone.size} deleted, ${model.size} left`);
  await assertAgrees(test, { owner, boxes, model, gone, index });
});
