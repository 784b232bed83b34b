// Several workers on one mailbox: each mail goes to one of them, and to the next one if that one fails.
import { Letterbox, LetterboxError } from "../sdk/typescript/src/index.ts";
import { apiKey, baseUrl, somebodyWrites } from "./settings.ts";

const letterbox = new Letterbox({ baseUrl, apiKey });
const { mailbox_id, email_address } = await letterbox.mailboxes.create({ generate: true });
const orders = 9;
const stop = new AbortController();
let done = 0;

async function worker(name: string): Promise<void> {
  while (!stop.signal.aborted) {
    const claims = await letterbox.claims.create(
      mailbox_id,
      { lease_seconds: 60, wait_seconds: 30 },
      { signal: stop.signal },
    );
    for (const { claim_id, email, attempts } of claims) {
      // The first try of one mail fails, as a model sometimes does.
      if (email.subject === "Order 3" && attempts === 1) {
        await letterbox.claims.nack(claim_id, { delay_seconds: 0 });
        continue;
      }
      try {
        await letterbox.claims.ack(claim_id);
        console.log(`${name}: ${email.subject}, attempt ${attempts}`);
        if (++done === orders) stop.abort();
      } catch (error) {
        // The lease ended before the work did: another worker has the mail now.
        if (!(error instanceof LetterboxError && error.code === "CLAIM_LOST")) throw error;
      }
    }
  }
}

const workers = ["anna", "bert", "cleo"].map((name) =>
  worker(name).catch((error) => {
    if (!stop.signal.aborted) throw error;
  })
);
for (let n = 1; n <= orders; n++) {
  const mail = { from: "shop@example.net", subject: `Order ${n}`, text: "One kettle." };
  await somebodyWrites({ ...mail, to: email_address });
}
await Promise.all(workers);
console.log(`${done} orders`);
