import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import verifier from "mailauth/lib/dkim/verify.js";
import { composeMessage, type OutgoingMessage } from "../../../mime/compose/compose.ts";
import { createDkimKey, dkimRecordValue, signMessage } from "../../../mime/compose/dkim.ts";

const key = await createDkimKey();
const draft: OutgoingMessage = {
  messageId: "<1@agents.example>",
  dateMs: 0,
  from: { name: "Zoë", address: "zoe@agents.example" },
  to: [{ address: "ann@one.example" }],
  cc: [],
  bcc: [],
  subject: "An invoice — with a dash",
  text: "line one   \n\n\tline two\n\n\n",
  attachments: [],
};

/** The verdict of mailauth over a DNS that has only the key. */
async function verdict(message: string): Promise<string> {
  const resolver = (name: string, type: string) =>
    name === "letterbox._domainkey.agents.example" && type === "TXT"
      ? Promise.resolve([[dkimRecordValue(key)]])
      : Promise.reject(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }));
  const bytes = Buffer.from(message, "latin1");
  const { results } = await verifier.dkimVerify(bytes, { resolver });
  return results.map((each: { status: { result: string } }) => each.status.result).join();
}

async function signed(change: Partial<OutgoingMessage> = {}): Promise<string> {
  const raw = await composeMessage({ ...draft, ...change });
  return new TextDecoder("latin1").decode(await signMessage(raw, "agents.example", key));
}

const variants: Partial<OutgoingMessage>[] = [
  {},
  { cc: [{ name: "Ünal", address: "cc@two.example" }], replyTo: [{ address: "r@three.example" }] },
  {
    html: "<p>hi</p>",
    attachments: [{ filename: "a.txt", contentType: "text/plain", content: new Uint8Array(9_000) }],
  },
  { text: "" },
  {
    text: "x",
    inReplyTo: "<0@one.example>",
    references: Array.from({ length: 40 }, (_, n) => `<${n}@one.example>`),
  },
];

// SPEC: send.dkim
Deno.test("mailauth accepts the signature of every form of message", async () => {
  for (const [n, change] of variants.entries()) {
    assert.equal(await verdict(await signed(change)), "pass", `variant ${n}`);
  }
});

Deno.test("a replay with a second From, To, Subject, Date, Message-ID, Reply-To or Cc fails, before or after the first", async () => {
  const fields = {
    From: "ceo@bank.example",
    To: "victim@four.example",
    Subject: "Your account",
    Date: "Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID": "<2@agents.example>",
    "Reply-To": "eve@evil.example",
    Cc: "all@four.example",
  };
  for (const change of variants.slice(0, 2)) {
    const message = await signed(change);
    const end = message.indexOf("\r\n\r\n");
    for (const [name, value] of Object.entries(fields)) {
      const field = `${name}: ${value}\r\n`;
      const after = `${message.slice(0, end + 2)}${field}${message.slice(end + 2)}`;
      assert.equal(await verdict(field + message), "fail", `${name} before`);
      assert.equal(await verdict(after), "fail", `${name} after`);
    }
  }
});

Deno.test("a relay may add other fields, and lines of the signature are short", async () => {
  const message = await signed(variants[1]);
  const received = "Received: by relay.example; Fri, 20 Nov 2026 10:00:00 +0000\r\n";
  assert.equal(await verdict(received + message), "pass");
  const [field] = message.split(/\r\n(?![ \t])/);
  for (const line of field.split("\r\n")) assert.ok(line.length <= 78, line);
});
