import assert from "node:assert/strict";
import { createHash, createVerify } from "node:crypto";
import { composeMessage } from "../../domain/mail/compose.ts";
import {
  createDkimKey,
  dkimRecordName,
  dkimRecordValue,
  signMessage,
} from "../../domain/mail/dkim.ts";

const key = await createDkimKey();
const raw = await composeMessage({
  messageId: "<1@agents.example>",
  dateMs: 0,
  from: { name: "Zoë", address: "zoe@agents.example" },
  to: [{ address: "ann@one.example" }],
  cc: [],
  bcc: [],
  subject: "a   subject  with spaces — and a dash",
  text: "line one   \n\n\tline two\n\n\n",
  attachments: [],
});

Deno.test("a DKIM key is published as a TXT record under its selector", () => {
  assert.equal(dkimRecordName(key), "letterbox._domainkey");
  assert.match(
    dkimRecordValue(key),
    /^v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A[\w+/=]+$/,
  );
});

Deno.test("a signed message is the message with a signature in front that verifies", async () => {
  const signed = await signMessage(raw, "agents.example", key);
  const text = new TextDecoder("latin1").decode(signed);
  assert.ok(text.endsWith(new TextDecoder("latin1").decode(raw)));
  assert.deepEqual(verdict(text), { domain: "agents.example", body: true, signature: true });
});

Deno.test("a signed message that was changed does not verify", async () => {
  const text = new TextDecoder("latin1").decode(await signMessage(raw, "agents.example", key));
  const bodyChanged = text.replace("line two", "line 2");
  assert.deepEqual(verdict(bodyChanged), {
    domain: "agents.example",
    body: false,
    signature: true,
  });
  const headerChanged = text.replace("ann@one.example", "eve@one.example");
  assert.deepEqual(verdict(headerChanged), {
    domain: "agents.example",
    body: true,
    signature: false,
  });
});

/** An independent verifier, written from RFC 6376 3.4.2 (relaxed) and 3.7, over latin1 text. */
function verdict(message: string) {
  const split = message.indexOf("\r\n\r\n");
  const fields = message.slice(0, split).split(/\r\n(?![ \t])/);
  const body = message.slice(split + 4);
  const own = fields[0];
  const tags = new Map(
    own.slice(own.indexOf(":") + 1).replace(/\s+/g, "").split(";").filter(Boolean).map((tag) => {
      const at = tag.indexOf("=");
      return [tag.slice(0, at), tag.slice(at + 1)] as const;
    }),
  );
  const relaxedBody = body.replace(/[ \t]+/g, " ").replace(/ \r\n/g, "\r\n")
    .replace(/(?:\r\n)+$/, "") + "\r\n";
  const relaxed = (field: string) => {
    const at = field.indexOf(":");
    return `${field.slice(0, at).trim().toLowerCase()}:${
      field.slice(at + 1).replace(/\r\n/g, "").replace(/[ \t]+/g, " ").trim()
    }`;
  };
  const signedFields = (tags.get("h") ?? "").split(":").flatMap((name) => {
    const field = fields.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return field ? [relaxed(field)] : [];
  });
  const data = [...signedFields, relaxed(own.replace(/([;\s]b=)[^;]*$/, "$1"))].join("\r\n");
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${key.publicKey}\n-----END PUBLIC KEY-----`;
  return {
    domain: tags.get("d"),
    body: createHash("sha256").update(relaxedBody, "latin1").digest("base64") === tags.get("bh"),
    signature: createVerify("RSA-SHA256").update(data, "latin1")
      .verify(publicKey, tags.get("b") ?? "", "base64"),
  };
}
