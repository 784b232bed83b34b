import assert from "node:assert/strict";
import {
  draft as moved,
  type DraftEvent,
  isPossible,
} from "../../../../domain/mail/lifecycle/draft.ts";
import type { DraftEffect as Effect } from "../../../../domain/mail/lifecycle/effects.ts";
import { draftStatuses } from "../../../../domain/core/draft_events.ts";
import type { Draft } from "../../../../domain/mail/record/draft.ts";
import type { FinishedBlob } from "../../../../domain/store/blobs.ts";
import { root } from "../../../architecture/imports.ts";
import { drawnTable, tableOf } from "./tables.ts";

const later = 2_000, now = 1_000, hash = "new";
const reason = { recipient: "ann@one.example", provenance: "new" } as const;
const refusal = { ...reason, code: "RECIPIENT_BLOCKED" } as const;
const ref = (blobId: string, size: number) => ({ blobId, size, chunks: 2, sha256: "" });
const blob = { ref: ref("after", 70) } as FinishedBlob;
const about = { draftId: "d", userId: "u", mailboxId: "m", replyToEmailId: null };
const output = { email_id: "e", thread_id: "t" } as NonNullable<Draft["sent"]>;
const kept = new Uint8Array(10);
const by = { memberId: "p", name: "Ann" };
const sent = { output, recipients: ["ann@one.example"], kept };

function draftThatIs(status: Draft["status"]): Draft {
  const isEnded = ["sent", "canceled", "rejected"].includes(status);
  return {
    ...{ ...about, status, revision: 3, approvedHash: null, rejectReason: null },
    content: isEnded ? null : { blob: ref("before", 50), headBytes: 20 },
    sendAt: status === "scheduled" ? later : null,
    reasons: status === "pending_approval" ? [reason] : [],
    endedHash: isEnded ? "old" : null,
    sent: status === "sent" ? output : null,
    ...{ createdAt: 1, updatedAt: 2 },
  };
}

/** Every variant of every event. */
const save = {
  type: "save" as const,
  ...{ now, hash, about, content: { blob, headBytes: 30 } },
  remember: { under: null, answerOf: () => null },
};
const events: DraftEvent[] = [
  { ...save, sendAt: null, reasons: [] },
  { ...save, sendAt: later, reasons: [] },
  { ...save, sendAt: later, reasons: [reason] },
  { type: "send", now, hash, sent },
  { type: "time_reached", now, hash, sent },
  { type: "approve", by, now, hash, sent },
  { type: "approve", by, now, hash, sent: null },
  { type: "want_approval", now, hash, reasons: [reason], sendAt: null },
  { type: "refuse", now, hash, reasons: [refusal] },
  { type: "reject", by, now, hash, reason: "no", kept },
  { type: "cancel", now, hash, kept },
  { type: "purge" },
];
const states = ["none", ...draftStatuses] as const;
const before = (state: typeof states[number]) =>
  state === "none"
    ? null
    // An approval needs the time for which it waits.
    : { ...draftThatIs(state), ...state === "pending_approval" ? { sendAt: later } : {} };

const kinds = (effects: readonly Effect[]) =>
  effects.map((each) =>
    "change" in each ? each.change : "job" in each ? each.job : Object.keys(each)[0]
  );

Deno.test("every event moves a draft as the table on top of draft.ts says, or is an error that names both", async () => {
  const table = await tableOf("draft");
  assert.deepEqual([...table.keys()], [...states]);
  const types = [...new Set(events.map(({ type }) => type))];
  for (const state of states) {
    assert.deepEqual([...table.get(state)!.keys()].toSorted(), types.toSorted());
    for (const type of types) {
      const expected = table.get(state)!.get(type)!;
      assert.equal(isPossible(before(state), type), expected.length > 0, `${state}, ${type}`);
      const found = new Set<string>();
      for (const event of events.filter((each) => each.type === type)) {
        if (expected.length > 0) found.add(moved(before(state), event).next?.status ?? "none");
        else {
          assert.throws(
            () => moved(before(state), event),
            new RegExp(`^Error: ${type} .* ${state}$`),
          );
        }
      }
      assert.deepEqual([...found].toSorted(), expected.toSorted(), `${state}, ${type}`);
    }
  }
});

Deno.test("every move of a draft that stays has one more revision, the time, and a change in the journal", () => {
  for (const state of states) {
    for (const event of events) {
      if (!isPossible(before(state), event.type) || event.type === "purge") continue;
      const { next, effects } = moved(before(state), event);
      const what = `${state}, ${event.type}`;
      assert.deepEqual(
        [next!.revision, next!.updatedAt],
        [(before(state)?.revision ?? 0) + 1, now],
        what,
      );
      assert.ok(kinds(effects).some((each) => each.startsWith("draft.")), what);
      // The webhook has the draft after the move.
      const last = effects.findLast((each) => "change" in each);
      assert.equal(last?.draft, next, what);
    }
  }
});

Deno.test("bytes and counts of drafts follow every move: what has no draft any more is released once", () => {
  for (const state of states) {
    for (const event of events) {
      const from = before(state);
      if (!isPossible(from, event.type)) continue;
      const { next, effects } = moved(from, event);
      const what = `${state}, ${event.type}`;
      const sizeOf = (each: Draft | null) => each?.content?.blob.size ?? 0;
      const counts = effects.filter((each) => "count" in each);
      assert.equal(
        counts.reduce((sum, { bytes }) => sum + bytes, 0),
        sizeOf(next) - sizeOf(from),
        what,
      );
      const openOf = (each: Draft | null) => each?.content ? 1 : 0;
      assert.equal(
        counts.reduce((sum, { open }) => sum + open, 0),
        openOf(next) - openOf(from),
        what,
      );
      const isGone = from?.content && next?.content?.blob.blobId !== from.content.blob.blobId;
      assert.deepEqual(
        effects.flatMap((each) => "release" in each ? [each.release.blobId] : []),
        isGone ? ["before"] : [],
        what,
      );
      const isNew = next?.content?.blob === blob.ref;
      assert.equal(effects.some((each) => "attach" in each), isNew, what);
      const hasEnded = next !== null && next.content === null;
      assert.equal(effects.some((each) => "keep" in each), hasEnded, what);
      assert.equal(counts.some(({ endedBytes }) => endedBytes! > 10), hasEnded, what);
    }
  }
});

Deno.test("a draft that becomes scheduled has the job that sends it at its time, and no other draft has", () => {
  for (const state of states) {
    for (const event of events) {
      if (!isPossible(before(state), event.type)) continue;
      const { next, effects } = moved(before(state), event);
      const jobs = effects.filter((each) => "job" in each);
      const payload = { userId: "u", draftId: "d", sendAt: later };
      assert.deepEqual(
        jobs,
        next?.status === "scheduled" ? [{ job: "send_draft", payload, at: later }] : [],
        `${state}, ${event.type}`,
      );
    }
  }
});

Deno.test("a wait begins and ends with the status pending_approval, and not with a change of what waits", () => {
  for (const state of states) {
    for (const event of events) {
      if (!isPossible(before(state), event.type)) continue;
      const { next, effects } = moved(before(state), event);
      const [waited, waits] = [state, next?.status].map((each) => each === "pending_approval");
      assert.deepEqual(
        effects.flatMap((each) => "wait" in each ? [each.wait] : []),
        waited === waits ? [] : [waits ? "begins" : "ends"],
        `${state}, ${event.type}`,
      );
    }
  }
});

Deno.test("the effects of a draft's moves, in the order of the journal", () => {
  const of = (state: typeof states[number], n: number) =>
    kinds(moved(before(state), events[n]).effects);
  const end = ["count", "release", "keep"];
  assert.deepEqual(of("none", 0), ["count", "attach", "draft.created", "audit"]);
  assert.deepEqual(of("draft", 2), [
    ...["count", "release", "attach", "draft.updated", "draft.pending_approval", "audit", "wait"],
  ]);
  assert.deepEqual(of("draft", 3), [...end, "draft.sent"]);
  assert.deepEqual(of("pending_approval", 5), [
    "known",
    "draft.approved",
    ...end,
    "draft.sent",
    "wait",
  ]);
  assert.deepEqual(of("pending_approval", 6), ["draft.approved", "send_draft", "audit", "wait"]);
  assert.deepEqual(of("scheduled", 7), [
    "draft.updated",
    "draft.pending_approval",
    "audit",
    "wait",
  ]);
  assert.deepEqual(of("scheduled", 8), ["draft.updated"]);
  assert.deepEqual(of("pending_approval", 9), [...end, "draft.rejected", "audit", "wait"]);
  assert.deepEqual(of("draft", 10), [...end, "draft.canceled", "audit"]);
  assert.deepEqual(of("scheduled", 11), ["count", "release"]);
  assert.deepEqual(of("sent", 11), []);
  const remember = {
    under: { row: ["k"], inputHash: "" },
    answerOf: ({ draftId }: Draft) => draftId,
  };
  const { effects } = moved(null, { ...save, sendAt: null, reasons: [], remember });
  assert.deepEqual(effects.at(-1), { remember: "d", under: remember.under });
});

Deno.test("every change of a draft tells the state that the draft has afterwards", () => {
  for (const state of states) {
    for (const event of events.filter(({ type }) => isPossible(before(state), type))) {
      const { next, effects } = moved(before(state), event);
      for (const each of effects) {
        if ("change" in each) {
          assert.equal(each.draft.status, next?.status, `${state} ${event.type}`);
        }
      }
    }
  }
});

Deno.test("an approval is for one content, and ends when its mail is refused or waits for a person", () => {
  const approved = { ...draftThatIs("scheduled"), approvedHash: hash };
  const other = { ...approved, approvedHash: "another" };
  const hashes = (from: Draft) =>
    events.map((event) =>
      isPossible(from, event.type) ? moved(from, event).next?.approvedHash ?? null : undefined
    );
  const [none, kept, out] = [null, hash, undefined];
  assert.deepEqual(hashes(approved), [
    kept,
    kept,
    kept,
    kept,
    kept,
    out,
    out,
    none,
    none,
    out,
    kept,
    none,
  ]);
  assert.deepEqual(hashes(other).slice(0, 5), [none, none, none, none, none]);
});

Deno.test("docs/specification.md has the table of a draft's states", async () => {
  const text = await Deno.readTextFile(`${root}docs/specification.md`);
  assert.ok(text.includes((await drawnTable("draft")).join("\n")));
});
