import assert from "node:assert/strict";
import nodemailer from "nodemailer";
import { listenSmtp } from "../../../routes/inbound/smtp/listen_smtp.ts";
import { renewTls } from "../../../routes/inbound/smtp/renew_tls.ts";
import type { TlsPair } from "../../../routes/inbound/smtp/tls_pair.ts";
import { testService } from "../../service.ts";

const hourMs = 3_600_000;

function pair(name: string): TlsPair {
  const file = (part: string) =>
    Deno.readTextFileSync(new URL(`../../fixtures/tls/${name}.${part}.pem`, import.meta.url));
  return { key: file("key"), cert: file("cert") };
}

Deno.test("a renewed certificate is used within an hour, and one that cannot be read changes nothing", async () => {
  await using test = await testService();
  const [old, renewed] = [pair("hook_test"), pair("mx")];
  const listener = await listenSmtp(test.service, { hostname: "127.0.0.1", port: 0, tls: old });
  const isTrusted = async (ca: string, servername: string) => {
    const tls = { ca, servername };
    const client = nodemailer.createTransport({
      ...{ host: "127.0.0.1", port: listener.port, requireTLS: true, tls },
    });
    const answer = await client.verify().then(() => true, () => false);
    client.close();
    return answer;
  };
  const uses = async () => [
    await isTrusted(old.cert, "hook.test"),
    await isTrusted(renewed.cert, "mx.agents.test"),
  ];
  let read: () => Promise<TlsPair> = () => Promise.resolve(old);
  const end = renewTls(listener, old, () => read(), test.service);
  try {
    await test.advance(hourMs);
    read = () => Promise.reject(new Error("half of it is written"));
    await test.advance(hourMs);
    assert.deepEqual(await uses(), [true, false]);
    read = () => Promise.resolve(renewed);
    await test.advance(hourMs);
    assert.deepEqual(await uses(), [false, true]);
    const events = test.log.map(({ event }) => event).filter((event) =>
      event.startsWith("smtp.certificate")
    );
    assert.deepEqual(events, ["smtp.certificate_unreadable", "smtp.certificate_renewed"]);
  } finally {
    end();
    await listener.close();
  }
});
