import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { draftEvents } from "../../../domain/core/draft_events.ts";
import { eventNames } from "../../../domain/webhooks/events.ts";
import { sampleEvent } from "../../../domain/webhooks/sample_event.ts";
import { storedEvent } from "../../../domain/webhooks/emit.ts";
import { postedBody } from "../../../domain/webhooks/slack_form.ts";
import type { Webhook } from "../../../domain/webhooks/webhook.ts";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { ScriptedTarget } from "./scripted_target.ts";

const settings = { BASE_URL: "https://box.example" } as Parameters<
  typeof postedBody
>[0]["settings"];
const at = new Date("2026-11-27T10:00:00.000Z");

interface Message {
  text: string;
  blocks: { type: string; text: { type: string; text: string; verbatim: boolean } }[];
}

/** The message of a sample whose data has other facts. */
function messageOf(name: typeof eventNames[number], facts: Record<string, unknown> = {}): Message {
  const sample = sampleEvent(name, "1", at);
  const payload = { ...sample.payload, data: { ...sample.payload.data, ...facts } };
  const event = storedEvent({ ...sample, payload }, {});
  return JSON.parse(postedBody({ settings }, { format: "slack" } as Webhook, event));
}

Deno.test("every event has a sentence of its own in plain words, and a link", () => {
  const said = eventNames.map((name) => messageOf(name));
  assert.equal(new Set(said.map(({ text }) => text)).size, eventNames.length);
  for (const { text, blocks } of said) {
    assert.match(text, /^[A-Z]/);
    assert.doesNotMatch(text, /undefined|null|\[object|[<>]/);
    assert.deepEqual(
      blocks.map(({ type, text: { type: kind, verbatim } }) => [type, kind, verbatim]),
      [
        ["section", "mrkdwn", true],
        ["section", "mrkdwn", true],
      ],
    );
    assert.equal(blocks[0].text.text, text);
    assert.match(blocks[1].text.text, /^<https:\/\/box\.example\/app\/[\w/]*\|[\w ]+>$/);
  }
  assert.equal(
    messageOf("email.received").text,
    "Mail came in from sender@example.com to agent@example.com: Test event",
  );
  assert.equal(
    messageOf("draft.pending_approval").text,
    "A mail waits for a person's approval. Nobody has approved mail to stranger@example.com yet.",
  );
  assert.equal(
    messageOf("draft.pending_approval").blocks[1].text.text,
    "<https://box.example/app/waiting/test_1|Read it and decide>",
  );
  assert.match(
    messageOf("draft.pending_approval", {
      reasons: [{ recipient: "ann@one.example", provenance: "known" }],
    }).text,
    /Its mailbox asks a person about mail to ann@one\.example too\.$/,
  );
});

// SPEC: webhook.slack
Deno.test("no word of a stranger is a mention, a link or a second line", () => {
  const subject = "<!channel> <https://evil.example|Approve> & <@U1>\n*Approved*\u202e";
  const { text, blocks } = messageOf("email.received", { subject, from: "<!here>@evil.example" });
  assert.equal(
    text,
    "Mail came in from &lt;!here&gt;@evil.example to agent@example.com: &lt;!channel&gt; " +
      "&lt;https://evil.example|Approve&gt; &amp; &lt;@U1&gt; *Approved*[U+202E]",
  );
  assert.equal(blocks[0].text.text, text);
});

// SPEC: webhook.slack
Deno.test("a message is within Slack's limits whatever a mail says, and cut between signs", () => {
  const many = Array.from({ length: 500 }, () => "&".repeat(300));
  for (const name of eventNames) {
    const { text, blocks } = messageOf(name, {
      ...{
        subject: "&".repeat(100_000),
        from: "<".repeat(10_000),
        to: many,
        name: "&".repeat(9_999),
      },
      reasons: many.map((recipient, n) => ({
        recipient,
        provenance: n % 2 ? "new" : "own",
        ...n % 3 ? {} : { code: "RECIPIENT_BLOCKED" },
      })),
      failure: {
        reason: "bounced",
        recipients: many,
        smtp_status: null,
        message: ">".repeat(9_999),
      },
    });
    for (const each of [text, ...blocks.map(({ text }) => text.text)]) {
      assert.ok(each.length > 0 && each.length <= 3_000, `${name} ${each.length}`);
    }
    assert.ok(blocks.length <= 50);
    assert.doesNotMatch(text, /&(?!amp;|lt;|gt;)/);
  }
});

// SPEC: webhook.slack
Deno.test("a webhook of the format slack gets {text, blocks}, signed; so do its test and its log; others get the payload", async () => {
  const clock = new FakeClock(), target = new ScriptedTarget(clock);
  await using test = await testService({ parts: { clock, webhookTarget: target } });
  const owner = await account(test), box = await mailbox(test, owner);
  const ask = (method: string, path: string, json?: unknown) =>
    data(test.request(`/v1/api${path}`, { method, token: owner.key, json }));
  const events = ["email.received", ...draftEvents];
  const slack = await ask("POST", "/webhooks", {
    ...{ url: "https://slack.example/a", events, format: "slack" },
  });
  const plain = await ask("POST", "/webhooks", { url: "https://hook.example/b", events });
  assert.deepEqual([slack.format, plain.format], ["slack", "json"]);
  assert.deepEqual((await ask("GET", "/webhooks")).map((each: Webhook) => each.format), [
    ...["slack", "json"],
  ]);
  const subject = "Tea <!channel>";
  await deliver(test, box.email_address, message({ From: "ada@example.net", Subject: subject }));
  await test.settle();
  const bodyAt = (url: string) => target.posts.findLast((each) => each.url === url)!.body;
  const said = JSON.parse(bodyAt(slack.url));
  assert.deepEqual(Object.keys(said), ["text", "blocks"]);
  assert.match(said.text, /^Mail came in from ada@example\.net to .*: Tea &lt;!channel&gt;$/);
  assert.equal(JSON.parse(bodyAt(plain.url)).data.subject, "Tea <!channel>");
  const { headers, body } = target.posts.find(({ url }) => url === slack.url)!;
  const hmac = createHmac("sha256", slack.secret).update(body).digest("hex");
  assert.equal(headers["x-service-signature"], `sha256=${hmac}`);
  const [{ delivery_id }] = await ask("GET", `/webhooks/${slack.webhook_id}/deliveries`);
  const logged = await ask("GET", `/webhooks/${slack.webhook_id}/deliveries/${delivery_id}`);
  assert.equal(logged.payload, body);

  await ask("POST", `/webhooks/${slack.webhook_id}/test?event=draft.pending_approval`);
  await test.settle();
  assert.match(JSON.parse(bodyAt(slack.url)).text, /^Test: A mail waits for a person's approval\./);
  const changed = await ask("PATCH", `/webhooks/${slack.webhook_id}`, { format: "json" });
  assert.equal(changed.format, "json");
  await ask("POST", `/webhooks/${slack.webhook_id}/test`);
  await test.settle();
  assert.equal(JSON.parse(bodyAt(slack.url)).event, "email.received");
  const wrong = await test.request("/v1/api/webhooks", {
    ...{ token: owner.key, json: { url: plain.url, events, format: "teams" } },
  });
  assert.equal(wrong.status, 400);
});
