import assert from "node:assert/strict";
import { eventually } from "../../eventually.ts";
import { patience } from "../../nightly.ts";
import { message } from "../../service.ts";
import { freePort, inboundToken, openAccount, startProcess } from "../../service_process.ts";
import { SmtpTalk } from "../inbound/smtp_talk.ts";
import { RawClient } from "./raw_client.ts";

Deno.test("at SIGTERM an upload in progress is read to its end or answered 503 with Retry-After, SMTP gets 421, and the process exits with 0", async () => {
  const dir = await Deno.makeTempDir();
  const port = freePort(), smtpPort = freePort();
  let output = "";
  const service = startProcess({
    dir,
    port,
    env: { SMTP_LISTEN_PORT: String(smtpPort), LOG_LEVEL: "info" },
    output: (text) => output += text,
  });
  try {
    await service.up;
    const owner = await openAccount(service.base, "stopping", 1);
    const [{ email_address, mailbox_id }] = owner.mailboxes;
    const raw = message({ Subject: "Nearly there" }, "x".repeat(100_000));
    using ending = await RawClient.connect(port);
    await ending.postExpected("/inbound/raw", {
      "authorization": `Bearer ${inboundToken}`,
      "content-type": "message/rfc822",
      "x-envelope-to": email_address,
      "content-length": String(raw.length),
    });
    await ending.send(raw.slice(0, 90_000));
    using endless = await RawClient.connect(port);
    await endless.postExpected("/v1/api/emails/send", {
      "authorization": `Bearer ${owner.key}`,
      "content-type": "application/json",
      "content-length": "500000",
    });
    await endless.send(`{"mailbox_id": "${mailbox_id}", "subject": "`);
    using _idle = await RawClient.connect(port);
    using smtp = await SmtpTalk.connect(smtpPort);
    await smtp.say("EHLO sender.example");

    const stopping = performance.now();
    const stopped = service.stop();
    await eventually("it stops", () => output.includes("service.stopping"));
    using late = await RawClient.connect(port);
    await late.post("/v1/api/search", { "content-length": "0" });
    const refused = await late.answer();
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("retry-after"), "5");
    assert.equal(JSON.parse(refused.body).error.code, "SERVICE_UNAVAILABLE");
    await ending.send(raw.slice(90_000));
    const taken = await ending.answer();
    assert.equal(taken.status, 200, taken.body);
    assert.equal(JSON.parse(taken.body).data.results[0].disposition, "accepted");
    const cut = await endless.answer();
    assert.equal(cut.status, 503, cut.body);
    assert.equal(cut.headers.get("retry-after"), "5");
    assert.equal(JSON.parse(cut.body).error.code, "SERVICE_UNAVAILABLE");
    assert.match(await smtp.rest(), /^421 /);
    await stopped;
    assert.equal((await service.exited).code, 0);
    assert.ok(performance.now() - stopping < 6_000 * patience);
  } finally {
    await service.kill();
    await Deno.remove(dir, { recursive: true });
  }
});
