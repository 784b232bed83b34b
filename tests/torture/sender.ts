import { createHash } from "node:crypto";
import { postMail } from "../service_process.ts";

/** A sent message and its answers. */
export interface Sent {
  messageId: string;
  /** Messages of one conversation and one account share a thread. */
  conversation: string;
  recipients: string[];
  sha256: string;
  size: number;
  acked: boolean;
}

export interface Tally {
  posts: number;
  acked: number;
  /** Cut connections: the message may or may not have been accepted. */
  unknown: number;
  refused: number;
  again: number;
  /** The longest time until an answer, or until the connection broke. */
  slowestMs: number;
}

/**
 * Sends conversations until `until`: replies after and before their parents, small and large, to one and to
 * two accounts. Each message is posted until it is acknowledged; some are then posted once more, as by providers. `base` is
 * asked for the service of each request.
 */
export async function sendMail(
  name: string,
  base: () => string,
  addresses: string[],
  random: () => number,
  until: () => boolean,
  sent: Sent[],
  tally: Tally,
): Promise<void> {
  for (let n = 0; !until(); n++) {
    const conversation = `${name}-${n}`;
    const to = addresses[Math.floor(random() * addresses.length)];
    const other = addresses[Math.floor(random() * addresses.length)];
    const recipients = random() < 0.2 && other !== to ? [to, other] : [to];
    const length = 1 + Math.floor(random() * 4);
    const order = Array.from({ length }, (_, at) => at);
    if (random() < 0.3) order.reverse();
    for (const at of order) {
      if (until()) return;
      const messageId = `<${conversation}.${at}@example.net>`;
      const raw = messageOf(messageId, conversation, at, random);
      const record: Sent = {
        messageId,
        conversation,
        recipients,
        sha256: createHash("sha256").update(raw).digest("hex"),
        size: raw.length,
        acked: false,
      };
      sent.push(record);
      await post(base, record, raw, random, tally);
      record.acked = true;
      tally.acked++;
      if (random() < 0.1) {
        tally.again++;
        await post(base, record, raw, random, tally);
      }
    }
  }
}

function messageOf(messageId: string, conversation: string, at: number, random: () => number) {
  const sizes = [[0.7, 2_000], [0.9, 20_000], [0.98, 200_000], [1, 3_000_000]] as const;
  const dice = random();
  const most = sizes.find(([share]) => dice <= share)?.[1] ?? 2_000;
  const parents = Array.from({ length: at }, (_, n) => `<${conversation}.${n}@example.net>`);
  let body = "";
  const size = Math.floor(random() * most);
  while (body.length < size) {
    body += `${random().toString(36).slice(2)} ${conversation} ${random()}\r\n`;
  }
  return new TextEncoder().encode(
    `From: Sender <sender@example.net>\r\nTo: torture@agents.test\r\n` +
      `Subject: ${at > 0 ? "Re: " : ""}${conversation}\r\nMessage-ID: ${messageId}\r\n` +
      `Date: ${new Date(1_790_000_000_000 + at * 1000).toUTCString()}\r\n` +
      (parents.length > 0 ? `References: ${parents.join("\r\n ")}\r\n` : "") + `\r\n${body}`,
  );
}

/** Refusals while the service is killed or its disk is full end sooner. */
const longestMs = 300_000;

/** Posts until every recipient has the message; throws after five minutes. */
async function post(
  base: () => string,
  record: Sent,
  raw: Uint8Array<ArrayBuffer>,
  random: () => number,
  tally: Tally,
): Promise<void> {
  const end = performance.now() + longestMs;
  while (performance.now() < end) {
    tally.posts++;
    const from = performance.now();
    try {
      const answer = await postMail(base(), record.recipients.join(", "), raw, {
        from: "sender@example.net",
        headers: random() < 0.5 ? { "x-ingest-id": record.messageId } : {},
      });
      const body = await answer.json();
      if (answer.status === 200) {
        const results = body.data.results as { disposition: string }[];
        if (results.every((each) => each.disposition !== "rejected")) return;
        throw new Error(`rejected: ${JSON.stringify(results)}`);
      }
      tally.refused++;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("rejected")) throw error;
      tally.unknown++;
    } finally {
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - from);
    }
    await new Promise((done) => setTimeout(done, 20 + random() * 100));
  }
  throw new Error(`${record.messageId} was not accepted for five minutes`);
}
