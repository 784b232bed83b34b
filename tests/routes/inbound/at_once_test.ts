import assert from "node:assert/strict";
import { Hono } from "hono";
import nodemailer from "nodemailer";
import { failure } from "../../../routes/http/failures.ts";
import { begin } from "../../../routes/http/begin.ts";
import { clientFinder } from "../../../routes/http/client.ts";
import { mountSes } from "../../../routes/inbound/providers/ses.ts";
import { Intake } from "../../../routes/http/bodies/intake.ts";
import { listenSmtp } from "../../../routes/inbound/smtp/listen_smtp.ts";
import {
  account,
  data,
  FakeClock,
  inboundToken,
  mailbox,
  message,
  type TestService,
  testService,
} from "../../service.ts";
import {
  certificate,
  mailgunPost,
  type Post,
  postmarkPost,
  providerEnv,
  sendgridPost,
  sesPost,
} from "./provider_posts.ts";
import type { Env } from "../../../routes/http/env.ts";

const start = Date.parse("2027-01-05T10:00:00.000Z");
const rounds = 10;
const atOnce = 20;

interface Mail {
  to: string;
  raw: Uint8Array<ArrayBuffer>;
  id: string;
}

/** One inbound route: posts the same mail `count` times at once, and returns the email id of each answer. */
type WayIn = (test: TestService) => Promise<{
  post(mail: Mail): Promise<string[]>;
  close?(): Promise<void>;
}>;

async function posted(send: () => Promise<Response>): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: atOnce }, send));
  assert.deepEqual(answers.map(({ status }) => status), Array(atOnce).fill(200));
  return await Promise.all(
    answers.map(async (each) => (await each.json()).data.results[0].email_id as string),
  );
}

const provider = (make: (mail: Mail & { now: number }) => Post): WayIn => (test) =>
  Promise.resolve({
    post: (mail) => {
      const { path, headers, body } = make({ ...mail, now: test.clock.now() });
      return posted(() => test.request(path, { method: "POST", headers, body }));
    },
  });

const waysIn: Record<string, WayIn> = {
  raw: (test) =>
    Promise.resolve({
      post: ({ to, raw }) =>
        posted(() =>
          test.request("/inbound/raw", {
            method: "POST",
            token: inboundToken,
            headers: {
              "content-type": "message/rfc822",
              "x-envelope-to": to,
              "x-envelope-from": "ada@example.net",
            },
            body: raw,
          })
        ),
    }),
  mailgun: provider(mailgunPost),
  sendgrid: provider(sendgridPost),
  postmark: provider(postmarkPost),
  ses: (test) => {
    const app = new Hono<Env>();
    app.use(begin(test.service, new Intake(test.service.clock), clientFinder(test.service)));
    app.onError((error, c) => failure(c, error, test.service));
    mountSes(app, test.service, () => Promise.resolve(certificate));
    return Promise.resolve({
      post: (mail) => {
        const { path, headers, body } = sesPost({ ...mail, now: test.clock.now() });
        return posted(async () => await app.request(path, { method: "POST", headers, body }));
      },
    });
  },
  smtp: async (test) => {
    const listener = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0 });
    const client = nodemailer.createTransport({
      host: "127.0.0.1",
      port: listener.port,
      pool: true,
      maxConnections: atOnce,
    });
    return {
      post: async ({ to, raw }) => {
        const envelope = { from: "ada@example.net", to };
        const sent = await Promise.all(
          Array.from(
            { length: atOnce },
            () => client.sendMail({ envelope, raw: new TextDecoder().decode(raw) }),
          ),
        );
        return sent.map(({ response }) => /^250 2\.0\.0 Taken as (\S+)$/.exec(response)![1]);
      },
      close: async () => {
        client.close();
        await listener.close();
      },
    };
  },
};

for (const [name, open] of Object.entries(waysIn)) {
  // SPEC: inbound.duplicates
  Deno.test(`${name}: of twenty identical posts at once, in each of ten rounds: one email, one event, usage plus one, twenty 2xx`, async () => {
    await using test = await testService({
      env: providerEnv,
      parts: { clock: new FakeClock(start) },
    });
    const owner = await account(test);
    const box = await mailbox(test, owner);
    await test.request("/v1/api/webhooks", {
      token: owner.key,
      json: { url: "http://127.0.0.1:9/hook", events: ["email.received"] },
    });
    const used = async () =>
      (await data(test.request("/api/billing/usage", { token: owner.accessToken }))).emailsUsed;
    const way = await open(test);
    const known = new Set<string>();
    for (let round = 1; round <= rounds; round++) {
      const raw = new TextEncoder().encode(message({ Subject: `Round ${round}` }));
      const before = await used();
      const ids = await way.post({ to: box.email_address, raw, id: `message-${round}` });
      assert.equal(ids.length, atOnce);
      assert.equal(new Set(ids).size, 1, "all answers name one email");
      known.add(ids[0]);
      assert.equal(known.size, round, "no earlier round had it");
      assert.equal(await used(), before + 1);
      await test.settle();
      const listed = await test.request("/v1/api/emails?limit=100", { token: owner.key });
      assert.equal((await listed.json()).data.length, round);
      const events = await Array.fromAsync(test.kv.list({ prefix: ["events", owner.userId] }));
      assert.equal(events.length, round);
      const path = `/v1/api/arrivals?limit=${atOnce}`;
      const ledger = await (await test.request(path, { token: owner.key })).json();
      assert.deepEqual(
        ledger.data.map((row: { disposition: string }) => row.disposition).sort(),
        ["accepted", ...Array(atOnce - 1).fill("duplicate")],
      );
      assert.deepEqual(
        [...new Set(ledger.data.map((row: { email_id: string }) => row.email_id))],
        [ids[0]],
      );
    }
    await way.close?.();
  });
}
