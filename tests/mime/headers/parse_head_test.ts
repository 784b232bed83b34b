import assert from "node:assert/strict";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { type MessageHead, parseHead } from "../../../mime/headers/parse_head.ts";
import { fixture, message } from "../fixture.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

const ann = { address: "ann@example.com", name: "Ann Example" };
const box = { address: "box@agents.test", name: "" };

Deno.test("parseHead() gives every field of an ordinary header, and nothing of the body", () => {
  assert.deepEqual(parseHead(fixture("plain")), {
    messageId: "<m1@example.com>",
    inReplyTo: [],
    references: [],
    subject: "Plain",
    from: ann,
    authors: [ann.address],
    authorsCut: false,
    replyTo: [],
    to: [box],
    cc: [],
    bcc: [],
    dateMs: Date.UTC(2026, 10, 3, 9),
    isDeliveryReport: false,
    isAutomatic: false,
    truncated: false,
  });
});

const oddities: [string, string, Partial<MessageHead>][] = [
  ["address_groups", "flattens groups and takes no address out of a quoted name", {
    from: { address: "ann@example.com", name: "a@evil.test" },
    to: [{ address: "bob@example.com", name: "" }, {
      address: "eve@example.com",
      name: "Eve, E.",
    }],
    cc: [{ address: "joerg@example.com", name: "Jörg" }],
  }],
  ["encoded_words", "decodes encoded words into one line, a CR LF inside one is a blank", {
    subject: "😀 Hällo plain Grüßea b",
  }],
  ["charset_utf7", "decodes UTF-7, which the runtime does not know", { subject: "Grüße" }],
  ["charset_cp850", "decodes code page 850, which the runtime does not know", {
    subject: "Grüße",
  }],
  ["header_raw_latin1", "reads raw eight-bit fields in the charset of the message", {
    subject: "Café",
    from: { address: "ann@example.com", name: "Zoë" },
  }],
  ["duplicate_fields", "takes the first of a field that may stand once, and every To", {
    from: { address: "first@example.com", name: "" },
    authors: ["first@example.com", "second@example.com"],
    to: [{ address: "a@agents.test", name: "" }, { address: "b@agents.test", name: "" }],
    subject: "first",
    messageId: "<first@example.com>",
  }],
  ["folded_ids", "normalises ids, and knows a person from a parent in an old In-Reply-To", {
    messageId: "<folded.id@example.com>",
    inReplyTo: ["<parent@example.com>"],
    references: ["<one@example.com>", "<two@example.com>", "<three@example.com>"],
  }],
  ["date_without_zone", "reads a date without a zone as UTC", {
    dateMs: Date.UTC(2026, 10, 3, 10),
  }],
  ["date_garbage", "has no date where it does not parse", { dateMs: null }],
  ["bare_cr", "reads lines that end in a bare CR", { subject: "Macintosh", from: ann }],
  ["lf_only", "reads lines that end in LF", { subject: "Unix", to: [box] }],
  ["nul_bytes", "turns control characters into blanks", { subject: "n ul" }],
  ["no_header", "finds no field in text without a header", {
    subject: "",
    from: null,
    messageId: null,
    to: [],
  }],
  ["empty_first_line", "takes no field out of a body", { from: null, subject: "" }],
];

for (const [name, guarantee, expected] of oddities) {
  Deno.test(`parseHead() ${guarantee} (${name}.eml)`, () => {
    const head = parseHead(fixture(name));
    for (const [field, value] of Object.entries(expected)) {
      assert.deepEqual(head[field as keyof MessageHead], value, field);
    }
    assert.equal(head.truncated, false);
  });
}

for (
  const type of [
    "",
    "Content-Type: text/plain\n",
    "Content-Type: text/plain; charset=iso-2022-jp\n",
  ]
) {
  Deno.test(`raw ISO-2022-JP is read in the header and the text with ${type.trim() || "no type"}`, () => {
    const hello = "\x1b$B$3$s$K$A$O\x1b(B";
    const raw = message(`Subject: ${hello}!\nFrom: ${hello} <ann@example.com>\n${type}\n${hello}!`);
    const { subject, from } = parseHead(raw);
    assert.equal(subject, "こんにちは!");
    assert.deepEqual(from, { address: "ann@example.com", name: "こんにちは" });
    assert.equal(parseBody(raw).text, "こんにちは!");
  });
}

Deno.test("parseHead() takes comments, blanks and a route out of an address (RFC 5322, appendix A.5 and A.6)", () => {
  const from = "Pete(A nice chap) <pete(his account)@silly.test(his host)>";
  const to =
    "A Group:Chris <c@(Chris's host.)public.example>, joe @ example.org;, <@a.example,@b.example:mary@c.example>";
  const head = parseHead(
    message(`From: ${from}\nTo: ${to}\nCc: jdoe@machine(comment).  example\n\nx`),
  );
  assert.equal(head.from?.address, "pete@silly.test");
  assert.deepEqual(
    head.to.map(({ address }) => address),
    ["c@public.example", "joe@example.org", "mary@c.example"],
  );
});

// SPEC: emails.record_caps
Deno.test("parseHead() keeps the first and the newest 99 of more than 100 references", () => {
  const ids = Array.from({ length: 150 }, (_, n) => `<r${n}@example.com>`);
  const head = parseHead(message(`References: ${ids.join("\n ")}\n\nx`));
  assert.deepEqual(head.references, [ids[0], ...ids.slice(51)]);
  assert.equal(head.truncated, true);
});

Deno.test("parseHead() takes blanks from the ends of a name, and a lone CR in a value as a blank", () => {
  const head = parseHead(message("To: a@b.example\n \nSubject \t: a\rb\r\rc\r\r\n d\n\nx"));
  assert.equal(head.subject, "a b c d");
});

Deno.test("an empty line is LF or CRLF: without one, the body begins at the first line that is no field", () => {
  const textOf = (raw: string) => parseBody(new TextEncoder().encode(raw)).text;
  const front = "Subject: x\nno field\n\r\r\nbody\n";
  assert.equal(textOf(front), "no field\n\n\nbody\n");
  assert.equal(textOf(`${front}\nmore\n`), "body\n\nmore\n");
});

// SPEC: emails.record_caps
Deno.test("parseHead() cuts a subject at 1,000 characters without splitting one", () => {
  const head = parseHead(message(`Subject: ${"x".repeat(999)}😀😀\n\nx`));
  assert.equal(head.subject, "x".repeat(999));
  assert.equal(head.truncated, true);
});

Deno.test("parseHead() keeps a display name of 200 characters and cuts a longer one there", () => {
  for (const length of [200, 201]) {
    const head = parseHead(message(`From: "${"n".repeat(length)}" <ada@example.com>\n\nx`));
    assert.equal(head.from?.name, "n".repeat(200));
  }
});

// SPEC: emails.record_caps
Deno.test("parseHead() shows 200 addresses of a field with more", () => {
  const to = Array.from({ length: 201 }, (_, n) => `p${n}@example.com`);
  const head = parseHead(message(`To: ${to.join(",\n ")}\nCc: ${to.slice(1).join(", ")}\n\nx`));
  assert.deepEqual(head.to.map(({ address }) => address), to.slice(0, 200));
  assert.equal(head.cc.length, 200);
  assert.equal(head.truncated, true);
});

Deno.test("parseHead() drops an id that is too long, because a cut one could equal another id", () => {
  const long = `<${"a".repeat(600)}@example.com>`;
  const head = parseHead(message(`Message-ID: ${long}\nReferences: ${long} <b@c>\n\nx`));
  assert.equal(head.messageId, null);
  assert.deepEqual(head.references, ["<b@c>"]);
});

nightly("parseHead() finds the fields after 100,000 others fast", () => {
  const junk = "X-Junk: 0123456789\n".repeat(100_000);
  const raw = message(`${junk}Subject: found\nFrom: ann@example.com\n\nx`);
  const started = ownMs();
  const head = parseHead(raw);
  assert.equal(head.subject, "found");
  assert.ok(ownMs() - started < 4000);
});

const megabyte = 1024 * 1024;
const bombs: [string, string][] = [
  ["a megabyte of encoded words in the subject", "Subject: " + "=?utf-8?Q?=41?= ".repeat(65_000)],
  ["a megabyte of references", "References: " + "<aaaa@example.com> ".repeat(55_000)],
  ["a megabyte of open brackets", "References: " + "<".repeat(megabyte)],
  ["a megabyte of blanks", "Subject: a" + " ".repeat(megabyte) + "b"],
  ["a megabyte of folds", "Subject: a" + "\n b".repeat(megabyte / 4)],
  ["10,000 recipients", "To: " + "someone@example.com, ".repeat(10_000)],
  ["an address without an end", "From: " + "a".repeat(100_000) + "@"],
  ["a row of parentheses", "From: " + "(".repeat(100_000)],
  ["a row of parentheses in the type", "Content-Type: text/plain; " + "( ".repeat(50_000)],
  ["100,000 parameters", "Content-Type: text/plain" + "; a=b".repeat(100_000)],
];
for (const [what, header] of bombs) {
  nightly(`parseHead() takes ${what} in less than five seconds`, () => {
    const raw = message(`${header}\nX-End: 1\n\nbody`);
    const started = ownMs();
    parseHead(raw);
    const ms = ownMs() - started;
    assert.ok(ms < 5_000, `${ms.toFixed(0)} ms`);
  });
}
