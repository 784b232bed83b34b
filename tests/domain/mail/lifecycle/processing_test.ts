import assert from "node:assert/strict";
import {
  isComplete,
  isProcessed,
  type Processing,
  processing,
  type ProcessingEvent,
  type SenderCheck,
} from "../../../../domain/mail/lifecycle/processing.ts";
import type { ProcessingEffect } from "../../../../domain/mail/lifecycle/effects.ts";
import { authWithoutCheck } from "../../../../domain/mail/record/stored_auth.ts";

const facts = { peer: { ip: "192.0.2.1", helo: null } };
const first = { errors: 0, since: 1_000 };
const verdict = (which: "pass" | "error"): SenderCheck => ({
  auth: authWithoutCheck(which),
  facts,
  again: first,
});
const open: SenderCheck = { auth: null, facts, again: first };

/** A state in four letters: waiting, done, failed, later, none (-); and whether there is a problem (!). */
const letters = { waiting: "w", done: "d", failed: "f", later: "l", none: "-" } as const;
const brief = ({ parsed, checked, indexed, embedded, problem }: Processing) =>
  [parsed, checked, indexed, embedded].map((part) => letters[part]).join("") +
  (problem === null ? "" : "!");
const named = (wanted: string): Processing => {
  const part = (n: number) => Object.entries(letters).find(([, each]) => each === wanted[n])![0];
  const [parsed, checked, indexed, embedded] = [0, 1, 2, 3].map(part);
  const problem = wanted.endsWith("!") ? "unreadable" : null;
  return { parsed, checked, indexed, embedded, problem } as Processing;
};
const effectName = (effect: ProcessingEffect): string => {
  if ("auth" in effect) return effect.auth.verdict;
  if ("change" in effect) return effect.change.replace("email.", "");
  if ("event" in effect) return effect.event === "email.received" ? "event" : "event of import";
  if ("processed" in effect) return `processed:${effect.processed}`;
  return effect.at === undefined ? effect.job : `${effect.job}@${effect.at}`;
};

const indexed = (
  change: Partial<ProcessingEvent & { is: "indexed" }> = {},
): ProcessingEvent => ({
  ...{ is: "indexed", problem: null, withText: true, embedded: "done" },
  ...{ hasFiles: false, check: null },
  ...change,
});

const stored = (
  change: Partial<ProcessingEvent & { is: "stored" }> = {},
): ProcessingEvent => ({
  ...{ is: "stored", inbound: true, large: false, parsed: { problem: null }, facts },
  ...change,
});

/** Each event of the table below, by its name there. */
const events: Record<string, ProcessingEvent> = {
  "stored": stored(),
  "parsed": { is: "parsed", problem: null },
  "unread": { is: "parsed", problem: "unreadable" },
  "pass": { is: "checked", check: verdict("pass") },
  "error": { is: "checked", check: verdict("error") },
  "open": { is: "checked", check: open },
  "indexed": indexed(),
  "indexed, pass": indexed({ check: verdict("pass") }),
  "indexed, open": indexed({ check: open }),
  "by header": indexed({ withText: false, embedded: "waiting" }),
  "provider": indexed({ embedded: "waiting" }),
  "provider, pass": indexed({ embedded: "waiting", check: verdict("pass") }),
  "background, files": indexed({ embedded: "later", hasFiles: true }),
  "embedded": { is: "embedded" },
  "aside": { is: "set aside", problem: "deadly", hasFiles: true, check: null },
  "aside, error": {
    ...{ is: "set aside", problem: "deadly", hasFiles: false },
    check: { ...verdict("error"), facts: null },
  },
};

const again = "check_sender@31000";
const told = "processed:indexed", failed = "processed:failed";
const nothing = "=";
const no = "impossible";

/**
 * What each event makes of each state: the next state (= if it stays), and the effects in their order. The states: of
 * received mail a large one, a small one, one without text, one that waits for its vectors (unchecked, checked, after an
 * error), one whose model is in the background, an unchecked one, and one of which nothing is missing; and sent mail.
 */
const columns = ["stored", "parsed", "unread", "pass", "error", "open"];
const table: Record<string, string[]> = {
  "wwww": [
    ...[no, "dwww event", "fwww! event", "wdww pass updated"],
    ...[`wfww error ${again} updated`, "= check_sender"],
  ],
  "wdww": [no, "ddww event", "fdww! event", nothing, nothing, nothing],
  "dwww": [
    ...[no, no, no, "ddww pass updated", `dfww error ${again} updated`, "= check_sender"],
  ],
  "ddww": [no, no, no, nothing, nothing, nothing],
  "dwdw": [
    ...[no, no, no, "dddw pass updated", `dfdw error ${again} updated`, "= check_sender"],
  ],
  "dfdw": [no, no, no, "dddw pass updated", `= ${again}`, nothing],
  "dwdl": [
    ...[no, no, no, `dddl pass ${told}`, `dfdl error ${again} ${told}`, "= check_sender"],
  ],
  "dddl": [no, no, no, nothing, nothing, nothing],
  "dwdd": [
    ...[no, no, no, `dddd pass ${told}`, `dfdd error ${again} ${told}`, "= check_sender"],
  ],
  "fwfd!": [
    ...[no, no, no, `fdfd! pass ${failed}`, `fffd! error ${again} ${failed}`, "= check_sender"],
  ],
  "dddd": [no, no, no, nothing, nothing, nothing],
  "dfdd": [no, no, no, "dddd pass updated", `= ${again}`, nothing],
  "w-ww": [no, "d-ww", "f-ww!", no, no, no],
  "d-ww": [no, no, no, no, no, no],
  "d-dw": [no, no, no, no, no, no],
  "d-dl": [no, no, no, no, no, no],
  "d-dd": [no, no, no, no, no, no],
};
const indexColumns = [
  ...["indexed", "indexed, pass", "indexed, open", "by header", "provider", "provider, pass"],
  ...["background, files", "embedded", "aside", "aside, error"],
];
const done = (next: string) => [...Array(7).fill(nothing), next, nothing, nothing];
/** Nobody checks the sender of sent mail. */
const sentDone = (
  next: string,
) => [nothing, no, no, nothing, nothing, no, nothing, next, nothing, no];
const indexTable: Record<string, string[]> = {
  "wwww": [
    ...Array(8).fill(no),
    ...["fwfd! event index_attachments", `fffd! event error ${failed}`],
  ],
  "wdww": [
    ...Array(8).fill(no),
    ...[`fdfd! event index_attachments ${failed}`, `fdfd! event ${failed}`],
  ],
  "dwww": [
    ...["dwdd", `dddd pass ${told}`, "dwdd check_sender", "dwfd!", "dwdw embed_email"],
    ...["dddw embed_email pass updated", "dwdl index_attachments embed_email", no],
    ...["fwfd! index_attachments", `fffd! error ${failed}`],
  ],
  "ddww": [
    ...[`dddd ${told}`, `dddd ${told}`, `dddd ${told}`, `ddfd! ${failed}`, "dddw embed_email"],
    ...["dddw embed_email", `dddl index_attachments embed_email ${told}`, no],
    ...[`fdfd! index_attachments ${failed}`, `fdfd! ${failed}`],
  ],
  "dwdw": done("dwdd"),
  "dfdw": done(`dfdd ${told}`),
  "dwdl": done("dwdd"),
  "dddl": done("dddd"),
  "dwdd": done(nothing),
  "fwfd!": done(nothing),
  "dddd": done(nothing),
  "dfdd": done(nothing),
  "w-ww": [
    ...Array(8).fill(no),
    ...["f-fd! index_attachments", no],
  ],
  "d-ww": [
    ...["d-dd", no, no, "d-fd!", "d-dw embed_email", no],
    ...["d-dl index_attachments embed_email", no, "f-fd! index_attachments", no],
  ],
  "d-dw": sentDone("d-dd"),
  "d-dl": sentDone("d-dd"),
  "d-dd": sentDone(nothing),
};

function outcome(state: Processing | null, event: ProcessingEvent): string {
  try {
    const { next, effects } = processing(state, event);
    const same = state && brief(next) === brief(state);
    return [same ? nothing : brief(next), ...effects.map(effectName)].join(" ");
  } catch (error) {
    // The message has the state and the event.
    assert.equal(
      (error as Error).message,
      `impossible in ${JSON.stringify(state)}: ${JSON.stringify(event)}`,
    );
    return no;
  }
}

Deno.test("every event in every state has the outcome of the table", () => {
  assert.deepEqual([...columns, ...indexColumns].sort(), Object.keys(events).sort());
  assert.deepEqual(Object.keys(table), Object.keys(indexTable));
  for (const state of Object.keys(table)) {
    [...columns, ...indexColumns].forEach((name, n) => {
      const expected = [...table[state], ...indexTable[state]][n];
      const found = outcome(named(state), events[name]);
      assert.equal(found, expected, `${state} × ${name}`);
    });
  }
});

Deno.test("an email begins with what is known of it, and with the jobs of its size", () => {
  const begun: [Partial<ProcessingEvent & { is: "stored" }>, string][] = [
    [{}, "dwww received event process_email"],
    [{ facts: undefined }, "ddww received event process_email"],
    [{ parsed: null }, "wwww received process_email"],
    [{ parsed: { problem: "unreadable" } }, "fwww! received event process_email"],
    [
      { large: true, parsed: null },
      "wwww received process_large_email check_sender",
    ],
    [{ inbound: false, facts: undefined }, "d-ww process_email"],
    [{ inbound: false, facts: undefined, large: true, parsed: null }, "w-ww process_large_email"],
    [
      { inbound: false, imported: true, facts: undefined },
      "d-ww imported event of import process_email",
    ],
    [
      { inbound: false, imported: true, facts: undefined, large: true, parsed: null },
      "w-ww imported process_large_email",
    ],
  ];
  for (const [change, expected] of begun) assert.equal(outcome(null, stored(change)), expected);
  const others = Object.values(events).filter(({ is }) => is !== "stored");
  for (const event of others) assert.equal(outcome(null, event), no);
});

Deno.test("a large import has its event once it is parsed, and nothing else is told of an import", () => {
  const { next } = processing(
    null,
    stored({ inbound: false, imported: true, facts: undefined, large: true, parsed: null }),
  );
  assert.equal(outcome(next, events["parsed"]), "d-ww event of import");
  assert.equal(outcome(next, events["aside"]), "f-fd! event of import index_attachments");
  const parsed = processing(next, events["parsed"]).next;
  for (const name of ["indexed", "background, files", "by header"]) {
    assert.doesNotMatch(outcome(parsed, events[name]), /event|told|processed|updated/);
  }
});

Deno.test("a sender whose check is an error is checked again after 30 s and 2 min, and not a third time", () => {
  const effects = [0, 1, 2].map((errors) => {
    const check = { ...verdict("error"), again: { errors, since: 1_000 } };
    return outcome(named("dfdd"), { is: "checked", check });
  });
  assert.deepEqual(effects, [`= ${again}`, "= check_sender@121000", nothing]);
});

Deno.test("from every way through the states: a verdict is in the journal, email.received and email.processed come once, and the row ends", () => {
  const seen = new Set<string>();
  const walk = (state: Processing, received: number, ended: number) => {
    const at = `${brief(state)} ${received} ${ended}`;
    if (seen.has(at)) return;
    seen.add(at);
    const isOver = isProcessed(state) && state.checked !== "waiting";
    assert.equal(ended, isOver ? 1 : 0, at);
    assert.equal(received, state.parsed === "waiting" ? 0 : 1, at);
    if (isComplete(state)) assert.ok(!/w|l/.test(brief(state)), at);
    for (const event of Object.values(events)) {
      if (outcome(state, event) === no) continue;
      const { next, effects } = processing(state, event);
      const names = effects.map(effectName);
      const journal = names.filter((name) => name === "updated" || name.startsWith("processed"));
      if (effects.some((effect) => "auth" in effect)) assert.equal(journal.length, 1, at);
      walk(
        next,
        received + names.filter((name) => name === "event").length,
        ended + names.filter((name) => name.startsWith("processed")).length,
      );
    }
  };
  for (const parsed of [null, { problem: null }, { problem: "unreadable" }]) {
    const { next, effects } = processing(null, stored({ parsed }));
    walk(next, effects.map(effectName).filter((name) => name === "event").length, 0);
  }
  assert.ok([...seen].some((at) => at.startsWith("dddd")));
});
