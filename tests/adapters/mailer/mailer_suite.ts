import assert from "node:assert/strict";
import type { Mailer, OutgoingMessage } from "../../../domain/ports/mailer.ts";

/** A message to the given recipients, the body with a line that is only a dot. */
export function message(...to: string[]): OutgoingMessage {
  return {
    owner: "an account",
    envelopes: to.map((each, n) => ({ from: `bounce+${n}@agents.example`, to: each })),
    raw: new TextEncoder().encode(
      "From: agent@agents.example\r\nSubject: one\r\nMessage-ID: <1@agents.example>\r\n\r\n" +
        "Grüße\r\n.\r\n..two\r\n",
    ),
  };
}

/** The guarantees of every mailer, tested on each of them. */
export function testMailer(name: string, open: () => Promise<Mailer & AsyncDisposable>): void {
  Deno.test(`${name}: a message is sent to each of its recipients, in their order`, async () => {
    await using mailer = await open();
    const { recipients } = await mailer.send(message("a@one.example", "b@two.example"));
    assert.deepEqual(recipients.map(({ recipient, outcome }) => [recipient, outcome]), [
      ["a@one.example", "sent"],
      ["b@two.example", "sent"],
    ]);
    for (const { response } of recipients) assert.notEqual(response, "");
  });

  Deno.test(`${name}: the null reverse path is a sender`, async () => {
    await using mailer = await open();
    const { raw } = message();
    const { recipients } = await mailer.send({
      ...message(),
      envelopes: [{ from: "", to: "a@one.example" }],
      raw,
    });
    assert.deepEqual(recipients.map(({ outcome }) => outcome), ["sent"]);
  });

  Deno.test(`${name}: many messages at once are all sent`, async () => {
    await using mailer = await open();
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) => mailer.send(message(`r${n}@one.example`))),
    );
    const outcomes = results.flatMap(({ recipients }) => recipients.map(({ outcome }) => outcome));
    assert.deepEqual(outcomes, new Array(40).fill("sent"));
  });

  Deno.test(`${name}: check() says that it is ready, and close() can be called`, async () => {
    await using mailer = await open();
    assert.equal(await mailer.check(), true);
    mailer.close();
  });
}
