// A support agent on webhooks: answers each mail once, and leaves to people what it cannot answer.
import { Letterbox, LetterboxError, verifyWebhook } from "../sdk/typescript/src/index.ts";
import { apiKey, baseUrl, somebodyWrites } from "./settings.ts";

const letterbox = new Letterbox({ baseUrl, apiKey });
const mailbox = await letterbox.mailboxes.create({ generate: true });

/** Stands for a model. Null: a person must answer. */
function answerTo(text: string): string | null {
  return /\b(opening hours|open)\b/i.test(text) ? "We are open from 9 to 17 o'clock." : null;
}

async function handle(emailId: string): Promise<void> {
  const email = await letterbox.emails.get(emailId);
  // The answer to an automatic mail would make two programs write to each other.
  if (email.labels.includes("answered") || email.automated) return;
  const text = answerTo(`${email.subject}\n${email.body_text}`);
  if (text === null) {
    await letterbox.emails.update(emailId, { add_labels: ["for-a-person"] });
    return console.log("left to a person:", email.subject);
  }
  // An event can come twice; with the same key the reply is sent once.
  await letterbox.emails.reply(emailId, { body_text: text, idempotency_key: `answer-${emailId}` });
  await letterbox.emails.update(emailId, { is_read: true, add_labels: ["answered"] });
  console.log("answered:", email.subject);
}

let secret = "";
let left = 2;
const done = Promise.withResolvers<void>();
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
  try {
    const event = await verifyWebhook(request.headers, await request.text(), secret);
    if (event.event === "email.processed") {
      await handle(event.data.email_id);
      if (--left === 0) done.resolve();
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    // Anything but 2xx makes the service try again.
    const isForged = error instanceof LetterboxError && error.code === "INVALID_SIGNATURE";
    return new Response(null, { status: isForged ? 401 : 500 });
  }
});
const webhook = await letterbox.webhooks.create({
  url: `http://127.0.0.1:${server.addr.port}/`,
  events: ["email.processed"],
  mailbox_ids: [mailbox.mailbox_id],
  retry: "extended",
});
secret = webhook.secret;

const write = (subject: string, text: string) =>
  somebodyWrites({ from: "ada@example.net", to: mailbox.email_address, subject, text });
await write("Opening hours", "When are you open?");
await write("A complaint", "The kettle leaks.");
// A real agent would continue; this example ends.
await done.promise;
await letterbox.webhooks.delete(webhook.webhook_id);
await server.shutdown();
