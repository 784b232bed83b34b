import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import {
  maskSecret,
  newSecret,
  serviceSignature,
  signatureHeaders,
} from "../../../domain/webhooks/signature.ts";
import { systemIds } from "../../../domain/core/ids.ts";

const ids = systemIds();

const body = '{"event":"email.received","data":{"subject":"Grüße 👋"}}';
/** At the present time: the library refuses signatures of five minutes ago. */
function signedWith(secret: string) {
  return signatureHeaders({ secret, eventId: "evt_1", attempt: 2, at: new Date(), body });
}

Deno.test("newSecret() is whsec_ and 32 random bytes in base64, another one each time", () => {
  const secrets = new Set(Array.from({ length: 100 }, () => newSecret(ids)));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});

// SPEC: event.signature
Deno.test("X-Service-Signature is the hex HMAC-SHA256 of the body keyed with the secret as shown", () => {
  const secret = newSecret(ids);
  const expected = createHmac("sha256", Buffer.from(secret, "utf8"))
    .update(Buffer.from(body, "utf8")).digest("hex");
  assert.equal(signedWith(secret)["X-Service-Signature"], `sha256=${expected}`);
  // A known answer, so that both sides cannot be wrong together (RFC 4231 test case 2).
  assert.equal(
    serviceSignature("Jefe", "what do ya want for nothing?"),
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

Deno.test("the standardwebhooks library accepts the Standard Webhooks headers of a new secret", () => {
  const secret = newSecret(ids);
  assert.deepEqual(new Webhook(secret).verify(body, signedWith(secret)), JSON.parse(body));
  assert.throws(() => new Webhook(newSecret(ids)).verify(body, signedWith(secret)));
  assert.throws(() => new Webhook(secret).verify(body + " ", signedWith(secret)));
  assert.throws(() =>
    new Webhook(secret).verify(body, { ...signedWith(secret), "webhook-id": "evt_2" })
  );
});

Deno.test("the standardwebhooks library accepts secrets that a user chose, base64 or not", () => {
  const base64 = "dGhpcyBpcyBhIHNlY3JldCBvZiBtaW5l";
  assert.deepEqual(new Webhook(base64).verify(body, signedWith(base64)), JSON.parse(body));
  const raw = "my own secret phrase!";
  const library = new Webhook(raw, { format: "raw" });
  assert.deepEqual(library.verify(body, signedWith(raw)), JSON.parse(body));
});

Deno.test("signatureHeaders() has exactly five headers; the timestamp is in seconds", () => {
  // The two signatures were computed by `openssl dgst -sha256 -hmac`.
  const headers = signatureHeaders({
    secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZg==",
    eventId: "evt_1",
    attempt: 3,
    at: new Date("2026-11-21T08:00:00.999Z"),
    body: "{}",
  });
  assert.deepEqual(headers, {
    "X-Service-Signature":
      "sha256=f5ef088e8b2967dbc618b61488835f9bd02349d27b6ea86b94982ae27c2d0557",
    "X-Service-Attempt": "3",
    "webhook-id": "evt_1",
    "webhook-timestamp": "1795248000",
    "webhook-signature": "v1,4V00UYEiXh2D+bdgYUAfw5rXeUSJNV3nwbCxyaIri8c=",
  });
});

Deno.test("maskSecret() shows at most four characters after the prefix, of a short secret a quarter", () => {
  assert.equal(maskSecret("whsec_abcdefghijklmnop"), "whsec_abcd************");
  assert.equal(maskSecret("correct horse battery"), "corr************");
  assert.equal(maskSecret("12345678"), "12************");
});
