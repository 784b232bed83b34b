import assert from "node:assert/strict";
import type { Mailer } from "../../domain/ports/mailer.ts";
import { eventually } from "../eventually.ts";
import { RemoteKv } from "../remote_kv/remote_kv.ts";
import { account, data, mailbox, testService } from "../service.ts";

/** A mailer that takes every mail, and calls `then` after each. */
function mailerWith(then: () => void): { mailer: Mailer; taken: string[] } {
  const taken: string[] = [];
  const mailer: Mailer = {
    isOutbox: false,
    send({ envelopes }) {
      taken.push(...envelopes.map(({ to }) => to));
      then();
      const recipients = envelopes.map(({ to }) => ({
        recipient: to,
        outcome: "sent" as const,
        response: "250 ok",
      }));
      return Promise.resolve({ recipients });
    },
    check: () => Promise.resolve(true),
    close() {},
  };
  return { mailer, taken };
}

Deno.test("mail that the relay took while the database went away is not sent again by another instance", async () => {
  await using remote = new RemoteKv();
  const { mailer, taken } = mailerWith(() => remote.faults = { all: "down" });
  await using one = await testService({ remote, instances: 1, parts: { mailer } });
  const parts = { mailer, clock: one.clock };
  await using two = await testService({ remote, instances: 1, parts });
  const owner = await account(one);
  const { mailbox_id } = await mailbox(one, owner);
  const mail = { mailbox_id, to: "ada@example.net", subject: "Once", body_text: "Text" };
  const sent = await data(one.request("/v1/api/emails/send", { token: owner.key, json: mail }));
  await eventually(
    "the run could not be recorded",
    () => one.log.some(({ event }) => event === "job.not_put_off"),
    one.log,
  );
  // The other instance meets it too; then every lease is over.
  const list = () => two.request("/v1/api/emails", { token: owner.key });
  assert.equal((await list()).status, 503);
  one.clock.advance(60_000);
  remote.faults = {};
  await eventually("the database is back", async () => (await list()).ok, two.log);
  await two.dispatcher.sweep();
  await eventually("it is recorded", async () => {
    one.clock.advance(1_000);
    const email = `/v1/api/emails/${sent.email_id}`;
    const answer = await two.request(email, { token: owner.key });
    return answer.ok && (await answer.json()).data.status === "sent";
  }, [...one.log, ...two.log]);
  assert.deepEqual(taken, ["ada@example.net"]);
});

Deno.test("an instance that is stopped leaves its jobs to the others at once: scheduled mail goes out in time", async () => {
  await using remote = new RemoteKv();
  const { mailer, taken } = mailerWith(() => {});
  await using one = await testService({ remote, instances: 1, parts: { mailer } });
  const parts = { mailer, clock: one.clock };
  await using two = await testService({ remote, instances: 1, parts });
  const owner = await account(one);
  const { mailbox_id } = await mailbox(one, owner);
  const send_at = new Date(one.clock.now() + 20_000).toISOString();
  const mail = { mailbox_id, to: "ada@example.net", subject: "Later", body_text: "Text", send_at };
  await data(one.request("/v1/api/emails/send", { token: owner.key, json: mail }));
  await one.settle();
  await one.dispatcher.stop(1_000);
  await two.advance(19_000);
  assert.deepEqual(taken, []);
  for (let seconds = 0; seconds < 6; seconds++) {
    await two.advance(1_000);
    await eventually("no sweep runs", () => two.dispatcher["sweeping"] === null, two.log);
  }
  await two.settle();
  assert.deepEqual(taken, ["ada@example.net"]);
});
