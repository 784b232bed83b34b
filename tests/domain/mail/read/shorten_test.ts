import assert from "node:assert/strict";
import fc from "fast-check";
import { rounds } from "../../../nightly.ts";
import { authVerdicts } from "../../../../domain/core/auth_verdicts.ts";
import { fitRows, leastEmailChars } from "../../../../domain/mail/read/budget.ts";
import { fullEmail } from "../../../../domain/mail/read/get_email.ts";
import { jsonBeginning, jsonChars, shorten } from "../../../../domain/mail/read/shorten.ts";
import { emailRecord } from "../../../../domain/mail/record/email_record.ts";

/** Text like that of strangers: letters, characters that JSON escapes, emoji, halves of characters. */
const hostile = (maxLength: number) =>
  fc.string({
    maxLength,
    // Longer ones than the default.
    size: "max",
    unit: fc.constantFrom("a", "b", " ", "\n", '"', "\\", "\u0001", "\u2028", "é", "😀", "\ud83d"),
  });
const id = fc.uuid();
const time = fc.constant("2026-11-20T09:00:00.000Z");
const addresses = fc.array(hostile(60), { maxLength: 60, size: "max" });

const record = {
  ...{ email_id: id, message_id: hostile(998), thread_id: id, mailbox_id: id },
  ...{ direction: fc.constant("inbound" as const), from: hostile(320), from_name: hostile(500) },
  ...{ to: addresses, cc: addresses, subject: hostile(1_000), date: time, received_at: time },
  ...{ has_attachments: fc.boolean(), attachment_ids: fc.array(fc.constant("att_1.2.3")) },
  ...{ size: fc.nat(50_000_000), is_read: fc.boolean(), automated: fc.boolean() },
  labels: fc.array(fc.constant("l".repeat(64)), { maxLength: 32, size: "max" }),
  auth_verdict: fc.option(fc.constantFrom(...authVerdicts)),
};
const textOf = (segments: readonly { text: string }[]) => segments.map(({ text }) => text).join("");
const note = {
  ...{ attachment_id: fc.constant("att_1"), filename: fc.option(hostile(255)) },
  ...{ content_type: fc.constant("text/plain"), size: fc.nat() },
};
const listed = fc.record({
  ...record,
  attachments: fc.array(fc.record(note)),
  snippet: hostile(200),
  processed: fc.boolean(),
});
const full = fc.record({
  ...record,
  ...{
    bcc: addresses,
    reply_to: addresses,
    references: fc.array(hostile(300), { maxLength: 30, size: "max" }),
  },
  ...{ in_reply_to: fc.option(hostile(998)), problem: fc.option(hostile(200)) },
  ...{ body_text: hostile(4_000), body_html: fc.option(hostile(1_000)) },
  body_new_text: hostile(1_000),
  auth: fc.option(fc.record({
    ...{ verdict: fc.constantFrom(...authVerdicts), source: fc.constant("checked" as const) },
    ...{ spf: fc.constant("softfail"), dkim: fc.constant("pass"), dmarc: fc.constant("none") },
    domain: fc.constant(`${"d".repeat(60)}.`.repeat(4) + "example"),
  })),
  segments: fc.array(
    fc.record({ origin: fc.constantFrom("new", "quoted", "hidden"), text: hostile(2_000) }),
    { maxLength: 6, size: "max" },
  ),
  attachments: fc.array(fc.record({
    ...{ attachment_id: fc.constant("att_1"), filename: fc.option(hostile(255)) },
    ...{ content_type: fc.constant("text/plain"), size: fc.nat(), sha256: fc.constant("0") },
    ...{ content_disposition: fc.constant(null), content_id: fc.option(hostile(200)) },
  })),
});

// SPEC: budget.length
Deno.test("the beginning of a text is the longest whose JSON fits, and ends with a whole character", () => {
  fc.assert(fc.property(hostile(40), fc.integer({ min: 2, max: 80 }), (text, room) => {
    const beginning = jsonBeginning(text, room);
    assert.ok(jsonChars(beginning) <= room);
    assert.ok(text.startsWith(beginning));
    const next = [...text.slice(beginning.length)][0];
    if (next !== undefined) assert.ok(jsonChars(beginning + next) > room);
    // A half character at the end must not be followed by its other half in the original.
    assert.ok(!(/[\ud800-\udbff]$/.test(beginning) && /^[\udc00-\udfff]/.test(next ?? "")));
  }));
});

// SPEC: budget.length, budget.order
Deno.test("any email in any room: the JSON fits, the record is valid, and less important parts are cut first", () => {
  const rooms = fc.integer({ min: leastEmailChars, max: 20_000 });
  fc.assert(
    fc.property(full, rooms, (email, room) => {
      if (jsonChars(email) <= room) return;
      const short = shorten(email, room, { offset: 0 });
      assert.ok(jsonChars(short) <= room, `${jsonChars(short)} of ${room}`);
      fullEmail.parse(short);
      assert.equal(short.truncated, true);
      const lists = ["bcc", "cc", "to", "reply_to", "references", "attachments"] as const;
      const steps: [lost: boolean, gone: boolean][] = [
        [short.body_html !== email.body_html, !short.body_html],
        [short.body_new_text !== email.body_new_text, short.body_new_text === ""],
        ...lists.map((field): [boolean, boolean] => [
          short[field].length < email[field].length,
          short[field].length === 0,
        ]),
        [textOf(short.segments) !== textOf(email.segments), textOf(short.segments) === ""],
        [short.body_text.length < email.body_text.length, true],
      ];
      steps.forEach(([lost], n) => {
        if (lost) assert.ok(steps.slice(0, n).every(([, gone]) => gone), `step ${n}`);
      });
      for (const field of lists) {
        if (short.body_text !== email.body_text) continue;
        assert.deepEqual(short[field], email[field].slice(0, short[field].length));
      }
    }),
    rounds(30, 100),
  );
});

// SPEC: budget.order
Deno.test("segments lose their end, in the middle of one too, and no more than necessary", () => {
  const segments = [{ origin: "new", text: "Yes.\n" }, {
    origin: "quoted",
    text: "> no\n".repeat(90),
  }];
  const email = { email_id: "1", segments, body_text: segments.map(({ text }) => text).join("") };
  const whole = jsonChars({ ...email, truncated: true });
  for (let room = jsonChars({ ...email, truncated: true, segments: [] }); room < whole; room++) {
    const short = shorten(email, room, { offset: 0 });
    assert.equal(short.body_text, email.body_text);
    const kept = textOf(short.segments);
    assert.ok(email.body_text.startsWith(kept));
    const spare = room - jsonChars(short);
    // A line end takes two characters in JSON; the next segment also needs its braces and keys.
    const next = kept.length === 0 || kept.length === segments[0].text.length ? 60 : 2;
    assert.ok(spare >= 0 && spare < next, `${spare} of ${room}`);
    assert.deepEqual(
      short.segments.map(({ origin }) => origin),
      ["new", "quoted"].slice(0, short.segments.length),
    );
  }
});

// SPEC: budget.pieces
Deno.test("the pieces of a text joined are the whole, whatever the email and the room", () => {
  const rooms = fc.integer({ min: leastEmailChars, max: 6_000 });
  fc.assert(
    fc.property(full, rooms, (email, room) => {
      let joined = "";
      for (let offset: number | undefined = 0, n = 0; offset !== undefined; n++) {
        assert.ok(n < 1_000, "it goes on");
        const rest = { ...email, body_text: email.body_text.slice(offset) };
        const piece: { body_text: string; next_offset?: number } = jsonChars(rest) <= room
          ? rest
          : shorten(rest, room, { offset });
        joined += piece.body_text;
        offset = piece.next_offset;
      }
      assert.equal(joined, email.body_text);
    }),
    rounds(5, 20),
  );
});

// SPEC: budget.rows
Deno.test("a list in a budget has the most rows that fit, at least one, and the cursor after the last of them", () => {
  const lists = fc.record({
    emails: fc.array(listed, { minLength: 1, maxLength: 12 }),
    has_more: fc.boolean(),
    next_cursor: fc.option(fc.uuid()),
  });
  fc.assert(
    fc.property(lists, fc.integer({ min: 2_000, max: 30_000 }), (output, maxChars) => {
      const goOn = (kept: typeof output.emails) => ({
        has_more: true,
        next_cursor: kept.at(-1)!.email_id,
      });
      const fitted = fitRows(output, "emails", maxChars, goOn);
      assert.ok(jsonChars(fitted) <= maxChars);
      const { length } = fitted.emails;
      assert.ok(length >= 1);
      for (const row of fitted.emails) emailRecord.parse(row);
      if (length === output.emails.length) {
        assert.equal(fitted.next_cursor, output.next_cursor);
      } else {
        assert.deepEqual([fitted.has_more, fitted.next_cursor], [
          true,
          output.emails[length - 1].email_id,
        ]);
        const more = output.emails.slice(0, length + 1);
        const whole = length + 1 === output.emails.length
          ? output
          : { ...output, ...goOn(more), emails: more };
        assert.ok(jsonChars(whole) > maxChars, "one more would have fitted");
      }
      if (length > 1) assert.deepEqual(fitted.emails, output.emails.slice(0, length));
    }),
    rounds(30, 100),
  );
});
