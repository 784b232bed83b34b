import assert from "node:assert/strict";
import { composeMessage } from "../../../../mime/compose/compose.ts";
import {
  planReply,
  type ReplyOptions,
  type ReplyParent,
  replySubject,
} from "../../../../domain/mail/send/reply_rules.ts";
import { automaticMarks } from "../../../../mime/headers/automatic.ts";

const noMarks = {
  ...{ nullReversePath: false, isReport: false, autoSubmitted: null, isBulk: false },
  hops: 1,
};
const parent: ReplyParent = {
  direction: "inbound",
  from: { name: "Ann", address: "ann@one.example" },
  replyTo: [],
  to: [{ address: "Agent+shop@agents.example" }, { name: "Bo", address: "bo@two.example" }],
  cc: [{ address: "second@agents.example" }, { address: "cy@three.example" }],
  messageId: "<m2@one.example>",
  inReplyTo: "<m1@one.example>",
  references: ["<m0@one.example>", "<m1@one.example>"],
  subject: "Order",
  marks: noMarks,
};
const options: ReplyOptions = {
  replyAll: false,
  cc: [],
  bcc: [],
  ownAddresses: ["agent@agents.example", "second@agents.example"],
};

function planned(change: Partial<ReplyParent>, by: Partial<ReplyOptions> = {}) {
  const plan = planReply({ ...parent, ...change }, { ...options, ...by });
  assert.ok(plan.ok, "refused");
  return plan;
}

function refused(change: Partial<ReplyParent>, by: Partial<ReplyOptions> = {}) {
  const plan = planReply({ ...parent, ...change }, { ...options, ...by });
  return plan.ok ? null : plan.refused;
}

Deno.test("a reply goes to From, with In-Reply-To, References and one Re:", () => {
  assert.deepEqual(planned({}), {
    ok: true,
    to: [{ name: "Ann", address: "ann@one.example" }],
    cc: [],
    bcc: [],
    subject: "Re: Order",
    inReplyTo: "<m2@one.example>",
    references: ["<m0@one.example>", "<m1@one.example>", "<m2@one.example>"],
    autoSubmitted: false,
  });
});

Deno.test("a reply goes to no address whose domain has two readings", () => {
  const from = { address: "ceo@ｂank.example" };
  assert.equal(refused({ from }), "no_recipient");
  const replyTo = [{ address: "desk@ba\u00adnk.example" }, { address: "log@BÜCHER.example" }];
  assert.deepEqual(planned({ from, replyTo }).to, [{ address: "log@xn--bcher-kva.example" }]);
});

Deno.test("a reply goes to Reply-To if there is one", () => {
  const replyTo = [{ address: "desk@one.example" }, { address: "log@one.example" }];
  assert.deepEqual(planned({ replyTo }).to, replyTo);
});

Deno.test("a reply to sent mail goes to its recipients", () => {
  const sent = { direction: "outbound" as const, from: { address: "agent@agents.example" } };
  const to = [{ address: "ann@one.example" }];
  assert.deepEqual(planned({ ...sent, to, cc: [] }).to, to);
});

Deno.test("reply-all adds everybody else once and leaves out the account's addresses, tags included", () => {
  const plan = planned(
    { cc: [...parent.cc, { address: "BO@two.example" }] },
    { replyAll: true, cc: [{ address: "ann@one.example" }, { address: "di@four.example" }] },
  );
  assert.deepEqual(plan.to, [{ name: "Ann", address: "ann@one.example" }]);
  assert.deepEqual(plan.cc, [
    { name: "Bo", address: "bo@two.example" },
    { address: "cy@three.example" },
    { address: "di@four.example" },
  ]);
});

Deno.test("reply-all between own mailboxes still reaches the other one", () => {
  const from = { address: "second@agents.example" };
  const plan = planned({ from, to: [{ address: "agent@agents.example" }], cc: [] }, {
    replyAll: true,
  });
  assert.deepEqual(plan.to, [from]);
});

Deno.test("replySubject() writes one Re: in place of the prefixes of many languages", () => {
  for (
    const subject of [
      "Order",
      "Re: Order",
      "RE: AW: Order",
      "Re[2]: Order",
      "SV:Re: Order",
      "回复：Order",
    ]
  ) {
    assert.equal(replySubject(subject), "Re: Order", subject);
  }
  assert.equal(replySubject("Fwd: Order"), "Re: Fwd: Order");
  assert.equal(replySubject("Reorder: now"), "Re: Reorder: now");
  assert.equal(replySubject(""), "Re:");
});

Deno.test("a reply keeps the first and the newest of too many references", () => {
  const references = Array.from({ length: 150 }, (_, n) => `<${n}@one.example>`);
  const plan = planned({ references });
  assert.equal(plan.references.length, 100);
  assert.deepEqual([plan.references[0], plan.references[1], plan.references[99]], [
    "<0@one.example>",
    "<52@one.example>",
    "<m2@one.example>",
  ]);
});

Deno.test("References of a reply have at most 2,000 bytes: the first, and the newest up to the answered mail", async () => {
  for (const [count, chars] of [[90, 70], [90, 30], [90, 8], [90, 450], [100, 3]]) {
    const references = Array.from({ length: count }, (_, n) => `<${n}${"x".repeat(chars)}@a.b>`);
    const plan = planned({ references });
    const raw = await composeMessage({
      ...{ messageId: "<1@a.b>", dateMs: 0, subject: "s", attachments: [] },
      ...{ from: { address: "a@b.example" }, to: [], cc: [], bcc: [] },
      ...{ references: plan.references, inReplyTo: plan.inReplyTo! },
    });
    const field = /^References:(?:.|\r\n[ \t])*/m.exec(new TextDecoder().decode(raw))![0];
    assert.ok(field.length <= 2_000, `${count} of ${chars}: ${field.length}`);
    assert.equal(plan.references[0], references[0]);
    const newest = references.slice(count + 2 - plan.references.length);
    assert.deepEqual(plan.references.slice(1), [...newest, "<m2@one.example>"]);
  }
});

Deno.test("a reply never copies a Message-ID that would break its header", () => {
  const bad = [
    "<a b@one.example>",
    "<a\r\nBcc: x@evil.example>",
    `<${"x".repeat(990)}@one.example>`,
  ];
  const plan = planned({ messageId: bad[0], references: bad });
  assert.equal(plan.inReplyTo, null);
  assert.deepEqual(plan.references, []);
});

Deno.test("a reply to bounces, reports and mail in a loop is refused", () => {
  assert.equal(refused({ marks: { ...noMarks, nullReversePath: true } }), "loop");
  assert.equal(refused({ marks: { ...noMarks, isReport: true } }), "loop");
  assert.equal(refused({ marks: { ...noMarks, hops: 51 } }), "loop");
  assert.equal(refused({ marks: { ...noMarks, hops: 50 } }), null);
});

Deno.test("a reply to automatic mail is marked as automatic", () => {
  assert.equal(
    planned({ marks: { ...noMarks, autoSubmitted: "auto-replied" } }).autoSubmitted,
    true,
  );
  assert.equal(planned({ marks: { ...noMarks, isBulk: true } }).autoSubmitted, true);
});

Deno.test("a reply without a recipient, or with too many, is refused", () => {
  assert.equal(refused({ from: null }), "no_recipient");
  const cc = Array.from({ length: 50 }, (_, n) => ({ address: `r${n}@one.example` }));
  assert.equal(refused({ cc }, { replyAll: true }), "too_many_recipients");
});

Deno.test("automaticMarks() tells automatic mail from mail of lists and people", () => {
  const marks = (fields: Record<string, string>, reversePath: string | null = "a@one.example") =>
    automaticMarks(
      { first: (name) => fields[name], count: (name) => name in fields ? 1 : 0 },
      reversePath,
    );
  assert.deepEqual(marks({}), { ...noMarks, hops: 0 });
  assert.equal(marks({}, "").nullReversePath, true);
  assert.equal(marks({ "return-path": "<>" }, null).nullReversePath, true);
  assert.equal(marks({ "auto-submitted": "no" }).autoSubmitted, null);
  assert.equal(
    marks({ "auto-submitted": "Auto-Generated (failure)" }).autoSubmitted,
    "auto-generated",
  );
  assert.equal(marks({ "x-autoreply": "yes" }).autoSubmitted, "auto-replied");
  for (
    const [value, expected] of [
      ["All", "auto-generated"],
      ["DR, OOF, AutoReply", "auto-generated"],
      ["DR, NDR, RN, NRN", null],
      ["None", null],
    ] as const
  ) assert.equal(marks({ "x-auto-response-suppress": value }).autoSubmitted, expected, value);
  assert.equal(
    marks({ "auto-submitted": "no", "x-auto-response-suppress": "All" }).autoSubmitted,
    null,
  );
  assert.equal(marks({ precedence: "bulk" }).autoSubmitted, "auto-generated");
  assert.equal(marks({ precedence: "bulk", "list-id": "<dev.one.example>" }).autoSubmitted, null);
  for (const precedence of ["bulk", "junk", "List"]) assert.ok(marks({ precedence }).isBulk);
  assert.ok(marks({ "list-id": "<dev.one.example>" }).isBulk);
  assert.ok(!marks({ precedence: "first-class" }).isBulk);
  assert.equal(
    marks({ "content-type": 'multipart/report; report-type="delivery-status"' }).isReport,
    true,
  );
});
