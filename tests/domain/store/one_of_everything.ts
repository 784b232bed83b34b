import assert from "node:assert/strict";
import type { PaymentEvent, Payments } from "../../../domain/ports/payments.ts";
import { addDomain, verifyDomain } from "../custom_domains/domains.ts";
import { mailgunKey, mailgunPost } from "../../routes/inbound/provider_posts.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  operatorToken,
  type TestAccount,
  type TestOptions,
  type TestService,
} from "../../service.ts";
import { importMail } from "../../imports.ts";
import { connect, register } from "../../routes/oauth/connect.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";

/** The special parts of the service of `oneOfEverything`. */
export function everythingParts() {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  const dns = new FakeDns();
  const change = { subscriptionId: "sub_1", createdAt: clock.now(), plan: "pro" as const };
  const event: PaymentEvent = {
    ...{ eventId: "evt_1", type: "checkout.session.completed", createdAt: clock.now() },
    ...{ customerId: "cus_1", userId: null, checkoutId: "cs_1", replaces: [], change },
  };
  const options: TestOptions = {
    env: {
      MAILGUN_SIGNING_KEY: mailgunKey,
      SMTP_URL: "smtp://127.0.0.1:1",
      STRIPE_SECRET_KEY: "sk_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
    },
    plans: {},
    parts: { clock, dns, webhookTarget: target, payments: paymentsOf(new Map([["evt_1", event]])) },
  };
  return { clock, dns, target, options };
}

/** The payment provider as a table: a signature is an event's id. */
function paymentsOf(events: Map<string, PaymentEvent>): Payments {
  return {
    beginCheckout: () => Promise.resolve({ checkoutId: "cs_1", url: "https://pay.test/" }),
    createCustomer: () => Promise.resolve({ customerId: "cus_1" }),
    openPortal: () => Promise.resolve({ url: "https://portal.test/" }),
    sells: () => true,
    readEvent: (_, signature) => Promise.resolve(events.get(signature ?? "") ?? null),
    subscription: () => Promise.reject(new Error("nobody asks for it")),
    cancel: () => Promise.resolve(),
  };
}

/** Everything that a service stores, made through users, providers and jobs; known ids are added to `names`. */
export async function oneOfEverything(
  test: TestService,
  { dns, target }: ReturnType<typeof everythingParts>,
  names: Map<string, string>,
): Promise<TestAccount> {
  const owner = await account(test, "pro");
  const { key: token, accessToken } = owner;
  names.set(owner.userId, "user").set(owner.email, "email").set(owner.keyId, "key");
  const other = await account(test);
  names.set(other.userId, "user").set(other.email, "email").set(other.keyId, "key");
  await test.request("/api/auth/login", { json: { email: owner.email, password: "wrong" } });
  await test.service.loginGuard.attempt(owner.email, "192.0.2.7", () => Promise.resolve(true));

  await data(test.request("/operator/invitations", {
    token: operatorToken,
    json: { email: "invited@example.org" },
  }));

  await data(test.request("/api/members", {
    token: accessToken,
    json: { email: "colleague@example.org", role: "viewer" },
  }));

  await data(test.request("/operator/accounts/reset-password", {
    token: operatorToken,
    json: { email: owner.email },
  }));

  // An app, and one that nobody allowed yet.
  const { grantId } = await connect(test, owner);
  names.set(grantId, "grant");
  await register(test);

  // Billing.
  const urls = { successUrl: "https://app.test/", cancelUrl: "https://app.test/" };
  await data(
    test.request("/api/billing/checkout", { token: accessToken, json: { plan: "pro", ...urls } }),
  );
  await data(test.request("/api/webhooks/stripe", {
    method: "POST",
    body: "{}",
    headers: { "stripe-signature": "evt_1" },
  }));

  // A custom domain, a mailbox on it and two on the shared pool.
  const domain = await addDomain(test, owner, "own.example");
  names.set(domain.domain_id, "domain");
  dns.publish("own.example", { txt: [domain.verification_token], mx: ["mx.agents.test"] });
  assert.equal((await verifyDomain(test, owner, domain)).status, 200);
  const boxes = [
    await mailbox(test, owner, "agent-one"),
    await mailbox(test, owner, "agent-two", "own.example"),
    await mailbox(test, owner, "agent-off"),
  ];
  for (const { mailbox_id } of boxes) names.set(mailbox_id, "mailbox");
  const [box, onDomain, off] = boxes;

  // A webhook and its events.
  const hook = await data(test.request("/v1/api/webhooks", {
    token,
    json: { url: "https://hook.example/", events: ["email.received", "email.sent"] },
  }));
  names.set(hook.webhook_id, "webhook");
  target.reply = () => 500;

  // Mail: a conversation, a large one, one that joins another conversation to it, one by a provider, one answered
  // automatically, one sent.
  const mails = [
    message({ "Message-ID": "<m1@example.net>", Subject: "Re: Engine" }),
    message({ "Message-ID": "<m2@example.net>", References: "<m1@example.net> <m0@example.net>" }),
    message({ "Auto-Submitted": "auto-replied" }, "out of office\n".repeat(10_000)),
    message({ "Message-ID": "<m3@example.net>", Subject: "Boiler" }),
    message({ References: "<m1@example.net> <m3@example.net>", Subject: "Engine and boiler" }),
  ];
  const ids = [];
  for (const raw of mails) {
    ids.push(
      (await deliver(test, box.email_address, raw, { "x-ingest-id": `id-${raw.length}` })).email_id,
    );
  }
  const post = mailgunPost({
    to: onDomain.email_address,
    raw: new TextEncoder().encode(message({ Subject: "By Mailgun" })),
    now: test.clock.now(),
  });
  const provided = await test.request("/inbound/mailgun", { method: "POST", ...post });
  assert.equal(provided.status, 200);
  await deliver(test, "nobody@agents.test", message());
  await importMail(test, token, box, message({ Subject: "Old" }));
  const path = `/v1/api/emails/${ids[2]}/reply`;
  await data(test.request(path, { token, json: { body_text: "x", idempotency_key: "k1" } }));
  const { mailbox_id } = box;
  await data(test.request("/v1/api/expectations", {
    token,
    json: { mailbox_id, from_domain: "example.net" },
  }));
  const guarded = `/v1/api/mailboxes/${onDomain.mailbox_id}/policy`;
  const stranger = { mailbox_id: onDomain.mailbox_id, to: "new@example.net", body_text: "x" };
  const setApproval = (approval: string) =>
    data(test.request(guarded, { method: "PUT", token: accessToken, json: { approval } }));
  await setApproval("new_recipients");
  const held = await data(test.request("/v1/api/emails/send", { token, json: stranger }));
  await data(test.request(`/v1/api/drafts/${held.draft_id}/approve`, {
    token: accessToken,
    json: { content_hash: held.content_hash },
  }));
  const waits = { ...stranger, to: "other@example.net" };
  await data(test.request("/v1/api/emails/send", { token, json: waits }));
  await setApproval("never");
  await data(test.request("/v1/api/drafts", { token, json: stranger }));
  const answer = { reply_to_email_id: ids[0], body_text: "x" };
  await data(test.request("/v1/api/drafts", { token, json: answer }));
  const upload = await data(test.request("/v1/api/uploads", { token, json: {} }));
  const { pathname } = new URL(upload.upload_url);
  await data(test.request(pathname, { method: "PUT", body: "bytes of a file" }));
  const policy = `/v1/api/mailboxes/${mailbox_id}/policy`;
  const allow = { allow_recipients: ["@example.net"] };
  await data(test.request(policy, { method: "PUT", token: accessToken, json: allow }));
  const ofDomain = `/v1/api/mailboxes/${onDomain.mailbox_id}`;
  const profile = { display_name: "Ann", catch_all: true };
  await test.request(ofDomain, { method: "PATCH", token, json: profile });
  await test.request(`/v1/api/search`, { token, json: { query: "engine" } });
  await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/claims`, { token, json: {} }));
  await test.settle();

  // A deleted mailbox, a pending delivery, a job that was put off, a dead letter.
  await test.request(`/v1/api/mailboxes/${off.mailbox_id}`, {
    method: "DELETE",
    token,
    json: { confirm_email_address: off.email_address },
  });
  await test.settle();
  const { database, jobs } = test.service;
  await database.transact((tx) => {
    jobs.deadLetter(tx, jobs.add(tx, "purge_webhook", { webhookId: "none" }), "the test says so");
  });
  return owner;
}
