import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { eventNames } from "../../../domain/webhooks/events.ts";
import { pascal } from "../../../routes/reference/components.ts";
import { refTo, servedDocument } from "./document.ts";

Deno.test("every event is in the document, with its payload's schema by name", async () => {
  const { webhooks } = await servedDocument();
  assert.deepEqual(Object.keys(webhooks), [...eventNames]);
  for (const name of eventNames) {
    const { schema } = webhooks[name].post.requestBody!.content["application/json"];
    assert.deepEqual(schema, { $ref: refTo(`${pascal(name)}Event`) });
  }
});

Deno.test("every event shows its headers, whose two signatures are valid for its example", async () => {
  const { webhooks } = await servedDocument();
  for (const [name, { post }] of Object.entries(webhooks)) {
    const header = (name: string) => post.parameters!.find((each) => each.name === name)!;
    const secret = /`(whsec_\w+)`/.exec(post.description)?.[1];
    assert.ok(secret, `${name}: the secret of the examples is shown`);
    const body = JSON.stringify(post.requestBody!.content["application/json"].example);
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    assert.equal(header("X-Service-Signature").example, `sha256=${hex}`, name);
    assert.match(header("X-Service-Signature").description!, /hex.*HMAC-SHA256.*raw body/);
    const [id, timestamp] = ["webhook-id", "webhook-timestamp"].map((each) => header(each).example);
    const signed = new Webhook(secret).sign(id!, new Date(Number(timestamp) * 1_000), body);
    assert.equal(header("webhook-signature").example, signed, name);
    assert.match(header("webhook-signature").description!, /<webhook-id>\.<webhook-timestamp>\./);
    assert.equal(header("X-Service-Attempt").example, "1");
  }
});
