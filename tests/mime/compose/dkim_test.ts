import assert from "node:assert/strict";
import { composeMessage } from "../../../mime/compose/compose.ts";
import {
  createDkimKey,
  dkimRecordName,
  dkimRecordValue,
  signMessage,
} from "../../../mime/compose/dkim.ts";
import { dkimVerdict } from "./dkim_verdict.ts";

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
  assert.deepEqual(dkimVerdict(key, text), {
    domain: "agents.example",
    body: true,
    signature: true,
  });
});

Deno.test("a signed message that was changed does not verify", async () => {
  const text = new TextDecoder("latin1").decode(await signMessage(raw, "agents.example", key));
  const bodyChanged = text.replace("line two", "line 2");
  assert.deepEqual(dkimVerdict(key, bodyChanged), {
    domain: "agents.example",
    body: false,
    signature: true,
  });
  const headerChanged = text.replace("ann@one.example", "eve@one.example");
  assert.deepEqual(dkimVerdict(key, headerChanged), {
    domain: "agents.example",
    body: true,
    signature: false,
  });
});

Deno.test("the fields of a list are signed, so that a mail program shows its button (RFC 8058, section 4)", async () => {
  const headers = {
    "List-Unsubscribe": "<https://x.example/u?t=1>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": "News <news.x.example>",
  };
  const sent = await composeMessage({
    ...{ messageId: "<2@agents.example>", dateMs: 0, subject: "News", text: "x", headers },
    ...{ from: { address: "zoe@agents.example" }, to: [{ address: "ann@one.example" }] },
    ...{ cc: [], bcc: [], attachments: [] },
  });
  const text = new TextDecoder("latin1").decode(await signMessage(sent, "agents.example", key));
  assert.equal(dkimVerdict(key, text).signature, true);
  for (const [name, value] of Object.entries(headers)) {
    const other = text.replace(`${value}\r\n`, `${value}.\r\n`);
    assert.notEqual(other, text);
    assert.equal(dkimVerdict(key, other).signature, false, name);
  }
});
