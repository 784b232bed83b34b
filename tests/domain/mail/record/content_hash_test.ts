import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { callsOf, given } from "../send/drafts/approvals.ts";

/** Follows docs/sending.md "The content hash", without code of the program. */
type Person = [name: string, address: string];

interface Said {
  from: Person;
  to: Person[];
  cc?: Person[];
  bcc?: Person[];
  replyTo?: Person[];
  subject?: string;
  text?: string;
  html?: string;
  attachments?: { filename: string; type: string; bytes: Uint8Array }[];
}

const escapes: Record<string, string> = {
  ...{ '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" },
};

function jsonText(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  let text = "";
  for (const each of String(value)) {
    const code = each.codePointAt(0)!;
    text += escapes[each] ?? (code < 32 ? `\\u${code.toString(16).padStart(4, "0")}` : each);
  }
  return `"${text}"`;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toHex();
}

async function hashOf(said: Said): Promise<string> {
  const files = (said.attachments ?? []).map(async ({ filename, type, bytes }) =>
    [filename, type, await sha256(bytes)] as const
  );
  const text = jsonText([
    said.from,
    ...[said.to, said.cc ?? [], said.bcc ?? [], said.replyTo ?? []],
    said.subject ?? "",
    ...[said.text ?? null, said.html ?? null],
    (await Promise.all(files)).map((each) => [...each]),
  ]);
  return await sha256(new TextEncoder().encode(text));
}

// SPEC: approval.hash
Deno.test("content_hash is as documented for dry run, draft, send and approved send", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent, person, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { approval: "always" });
  const self = box.email_address;
  const bytes = crypto.getRandomValues(new Uint8Array(1_000));
  const content = bytes.toBase64();
  const cases: [Record<string, unknown>, Said][] = [
    [{ to: "ann@one.example", body_text: "" }, {
      ...{ from: ["", self], to: [["", "ann@one.example"]], text: "" },
    }],
    [{
      from: `"Zoë \\"Z\\"" <${self}>`,
      to: ["Ann@BÜCHER.example", '"Bob, \\"B\\"" <bob@One.Example>'],
      cc: "c@one.example, Dee <d+x@one.example>",
      bcc: "e@one.example",
      reply_to: "Replies <r@one.example>",
      subject: 'A "quoted" \\ subject \u2014 \u{1f600}',
      body_text: "one\r\ntwo\tthree\u0007\u007f\u2028 / end\n",
      body_html: "<p>\u00e9</p>",
      attachments: [
        { filename: "a b.txt", content_type: "Text/Plain; charset=utf-8", content },
        { filename: "\u00fc.bin", content: "" },
      ],
    }, {
      from: ['Zoë "Z"', self],
      to: [["", "Ann@xn--bcher-kva.example"], ['Bob, "B"', "bob@one.example"]],
      cc: [["", "c@one.example"], ["Dee", "d+x@one.example"]],
      bcc: [["", "e@one.example"]],
      replyTo: [["Replies", "r@one.example"]],
      subject: 'A "quoted" \\ subject \u2014 \u{1f600}',
      text: "one\r\ntwo\tthree\u0007\u007f\u2028 / end\n",
      html: "<p>\u00e9</p>",
      attachments: [
        { filename: "a b.txt", type: "Text/Plain; charset=utf-8", bytes },
        { filename: "\u00fc.bin", type: "application/octet-stream", bytes: new Uint8Array() },
      ],
    }],
    [{ to: "ann@one.example", body_html: "<b>only</b>", automatic: true }, {
      ...{ from: ["", self], to: [["", "ann@one.example"]], html: "<b>only</b>" },
    }],
  ];
  for (const [input, said] of cases) {
    const mail = "from" in input ? input : { mailbox_id: box.mailbox_id, ...input };
    const expected = await hashOf(said);
    const send_at = "2026-11-21T10:00:00Z";
    for (
      const [path, more] of [
        ["/emails/send", { dry_run: true }],
        ["/drafts", {}],
        ["/drafts", { send_at }],
        ["/emails/send", { send_at }],
        ["/emails/send", { content_hash: expected }],
      ] as const
    ) {
      const { content_hash } = await given(agent("POST", path, { ...mail, ...more }));
      assert.equal(content_hash, expected, `${path} ${JSON.stringify(more)}`);
    }
    const { draft_id } = await given(agent("POST", "/emails/send", mail));
    const approved = await person("POST", `/drafts/${draft_id}/approve`, {
      content_hash: expected,
    });
    assert.equal(approved.status, 201);
    assert.equal((await given(agent("GET", `/drafts/${draft_id}`))).content_hash, expected);
  }
});

Deno.test("the content hash of a reply covers what the draft shows, without threading", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { agent } = callsOf(test, owner);
  const { email_id } = await deliver(test, box.email_address, message({ Subject: "Aw: Hello" }));
  await test.settle();
  const said: Said = {
    from: ["", box.email_address],
    to: [["Ada", "ada@example.net"]],
    cc: [["", "c@one.example"]],
    subject: "Re: Hello",
    text: "x",
  };
  const reply = { reply_to_email_id: email_id, cc: "c@one.example", body_text: "x" };
  const draft = await given(agent("POST", "/drafts", reply));
  assert.equal(draft.content_hash, await hashOf(said));
  const anew = await given(agent("POST", "/drafts", {
    mailbox_id: box.mailbox_id,
    to: "Ada <ada@example.net>",
    cc: "c@one.example",
    subject: "Re: Hello",
    body_text: "x",
  }));
  assert.equal(anew.content_hash, draft.content_hash);
});
