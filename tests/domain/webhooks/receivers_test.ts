import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { httpsTarget } from "../../../adapters/webhook_target/https.ts";
import { answer, certificate, rawReceiver } from "../../adapters/webhook_target/receiver.ts";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";

/** The service with the real target: TLS on loopback, names that lead where a test says. */
Deno.test("webhooks over the network", async (t) => {
  // standardwebhooks compares the timestamp with the real time.
  const clock = new FakeClock(Date.now());
  const names: Record<string, string[]> = {};
  const resolve = (hostname: string) =>
    Promise.resolve((names[hostname] ?? []).map((address) => ({ address, family: 4 })));
  const open = httpsTarget({ allowInsecure: true, ca: certificate, resolve });
  const strict = httpsTarget({ allowInsecure: false, ca: certificate, resolve });
  let target = open;
  await using test = await testService({
    parts: {
      clock,
      webhookTarget: {
        post: (post) => target.post(post),
        read: (request) => target.read(request),
        check: (url) => target.check(url),
      },
    },
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const register = async (url: string): Promise<{ webhook_id: string; secret: string }> =>
    await data(test.request("/v1/api/webhooks", {
      token: owner.key,
      json: { url, events: ["email.received"] },
    }));
  const logOf = async (webhookId: string) =>
    await data(
      test.request(`/v1/api/webhooks/${webhookId}/deliveries`, { token: owner.key }),
    );

  await t.step(
    "three attempts reach a TLS receiver with equal bytes, one id, and signatures that a plain HMAC and the library accept",
    async () => {
      names["hook.test"] = ["127.0.0.1"];
      let nth = 0;
      await using receiver = rawReceiver((_, write) => write(answer(++nth < 3 ? 500 : 200)), {
        tls: true,
      });
      const { webhook_id, secret } = await register(`https://hook.test:${receiver.port}/in`);
      await deliver(test, box.email_address, message({ Subject: "Grüße 👋" }));
      await test.settle();
      await test.advance(500);
      await test.advance(1000);
      const requests = receiver.requests.map(parse);
      assert.equal(requests.length, 3);
      for (const [i, { headers, body }] of requests.entries()) {
        assert.equal(body, requests[0].body);
        assert.equal(headers["webhook-id"], requests[0].headers["webhook-id"]);
        assert.equal(headers["x-service-attempt"], String(i + 1));
        const hex = createHmac("sha256", secret).update(body).digest("hex");
        assert.equal(headers["x-service-signature"], `sha256=${hex}`);
        assert.deepEqual(new StandardWebhook(secret).verify(body, headers), JSON.parse(body));
      }
      assert.equal(JSON.parse(requests[0].body).data.subject, "Grüße 👋");
      const [row] = await logOf(webhook_id);
      assert.equal(row.status, "delivered");
      await remove(test, owner.key, webhook_id);
    },
  );

  await t.step(
    "a name that was public at creation and leads to loopback at delivery is refused: a canary sees nothing",
    async () => {
      target = strict;
      names["hook.test"] = ["93.184.215.14"];
      await using canary = rawReceiver((_, write) => write(answer(200)), { tls: true });
      const { webhook_id } = await register(`https://hook.test:${canary.port}/in`);
      names["hook.test"] = ["127.0.0.1"];
      await deliver(test, box.email_address, message({ Subject: "rebound" }));
      await test.settle();
      await test.advance(500);
      await test.advance(1000);
      const [row] = await logOf(webhook_id);
      assert.equal(row.status, "failed");
      assert.deepEqual(
        row.attempts.map((each: { http_status: unknown; error: string }) => [
          each.http_status,
          each.error,
        ]),
        Array(3).fill([null, "hook.test leads to an address that is not public."]),
      );
      assert.equal(canary.connections, 0);
      await remove(test, owner.key, webhook_id);
    },
  );

  await t.step(
    "a name that does not resolve is accepted at creation; its deliveries fail and say why",
    async () => {
      target = strict;
      const { webhook_id } = await register("https://gone.example.com/in");
      await deliver(test, box.email_address, message({ Subject: "gone" }));
      await test.settle();
      const [row] = await logOf(webhook_id);
      assert.equal(row.attempts[0].error, "The host name does not resolve.");
      await remove(test, owner.key, webhook_id);
    },
  );

  await t.step("a name that resolves to a private address is refused at creation", async () => {
    target = strict;
    names["hook.test"] = ["93.184.215.14", "10.0.0.7"];
    const refused = await test.request("/v1/api/webhooks", {
      token: owner.key,
      json: { url: "https://hook.test/in", events: ["email.received"] },
    });
    assert.equal(refused.status, 400);
    const { error } = await refused.json();
    const reason = "The URL's host name leads to an address that is not public.";
    assert.deepEqual(error, {
      code: "VALIDATION_ERROR",
      message: reason,
      details: { url: reason },
    });
  });
});

function parse(request: string): { headers: Record<string, string>; body: string } {
  const end = request.indexOf("\r\n\r\n");
  const lines = request.slice(0, end).split("\r\n").slice(1);
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return { headers: Object.fromEntries(headers), body: request.slice(end + 4) };
}

async function remove(test: TestService, token: string, webhookId: string): Promise<void> {
  await test.request(`/v1/api/webhooks/${webhookId}`, { method: "DELETE", token });
  await test.advance(2_000);
}
