// `deno task bench sending`: many scheduled sends in one minute, and the cost of fifty recipients compared with one.
import type { ArgsDef } from "citty";
import { createSmtpMailer } from "../adapters/mailer/smtp.ts";
import { type SmtpRelay, startSmtpRelay } from "../tests/adapters/mailer/smtp_relay.ts";
import { distant } from "./distant.ts";
import type { Figure } from "./figure.ts";
import { median } from "./load.ts";
import { type BenchOptions, numberOf } from "./options.ts";
import { prepare, startService } from "./process.ts";

export const description =
  "Sending: scheduled sends of one minute, fifty recipients compared with one";
export const options = {
  sends: { type: "string", description: "sends scheduled for one minute; default 2,000" },
  part: { type: "enum", options: ["later", "recipients"], description: "one of the two" },
} satisfies ArgsDef;

export async function run(
  { sends, part, say, rounds = 5 }: BenchOptions & { sends?: string; part?: string },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  if (part !== "later") {
    for (const roundTripMs of [0, 40]) {
      say(`1 and 50 recipients, ${roundTripMs} ms of round trip`);
      figures.push(...await recipients(roundTripMs, rounds));
    }
  }
  const count = numberOf("--sends", sends) ?? 2_000;
  for (const spreadMs of part === "recipients" ? [] : [minuteMs, 0]) {
    say(`${count} scheduled sends ${howLong(spreadMs)}`);
    figures.push(...await later(count, spreadMs));
  }
  return figures;
}

/** A message of 10 KB to one recipient and to fifty, over open connections. */
async function recipients(roundTripMs: number, rounds: number): Promise<Figure[]> {
  await using relay = await startSmtpRelay();
  using far = distant(Number(new URL(relay.url).port), roundTripMs);
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${far.port}`, "mx.agents.example");
  const raw = new TextEncoder().encode(
    `From: a@agents.example\r\nSubject: x\r\n\r\n${"a line of a mail\r\n".repeat(570)}`,
  );
  const send = async (count: number) => {
    const startedAt = performance.now();
    const { recipients } = await mailer.send({
      owner: "an account",
      envelopes: Array.from({ length: count }, (_, n) => ({
        from: `bounce+${n}@agents.example`,
        to: `r${n}@one.example`,
      })),
      raw,
    });
    if (recipients.some(({ outcome }) => outcome !== "sent")) throw new Error("not all were sent");
    return performance.now() - startedAt;
  };
  await send(50);
  const one: number[] = [], fifty: number[] = [];
  for (let round = 0; round < rounds; round++) {
    one.push(await send(1));
    fifty.push(await send(50));
  }
  mailer.close();
  const how = `${roundTripMs} ms of round trip`;
  return [
    { name: `a message to one recipient, ${how}`, ours: median(one), unit: "ms" },
    {
      name: `the same to fifty, ${how}`,
      ours: median(fifty),
      unit: "ms",
      note: `${(median(fifty) / median(one)).toFixed(1)} times`,
    },
  ];
}

const minuteMs = 60_000;

function howLong(spreadMs: number): string {
  return spreadMs > 0 ? "over one minute" : "for one moment";
}

/** Scheduled sends, spread evenly over a time: how late they reach the relay. None may be early. */
async function later(count: number, spreadMs: number): Promise<Figure[]> {
  await using relay = await startSmtpRelay();
  const arrivedAt = arrivals(relay);
  await using server = await startService({ SMTP_URL: relay.url, EMAIL_VERIFICATION: "off" });
  const { key, mailboxId } = await prepare(server);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  // Time to schedule all of them before the first.
  const first = Date.now() + Math.max(10_000, count * 25);
  const due = Array.from({ length: count }, (_, n) => first + Math.floor(n * spreadMs / count));
  let next = 0;
  const schedule = async () => {
    while (next < count) {
      const n = next++;
      const answer = await fetch(`${server.base}/v1/api/emails/send`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          mailbox_id: mailboxId,
          to: `r${n}@one.example`,
          subject: `Mail ${n}`,
          body_text: "a line of a mail\n".repeat(100),
          send_at: new Date(due[n]).toISOString(),
        }),
      });
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: 8 }, schedule));
  if (Date.now() > first) throw new Error("it took too long to schedule them; nothing is measured");
  const cpuBefore = server.cpuSeconds();
  const givenUpAt = first + 4 * minuteMs;
  while (arrivedAt.size < count && Date.now() < givenUpAt) {
    await new Promise((done) => setTimeout(done, 500));
  }
  const lateness = due.map((at, n) => (arrivedAt.get(`r${n}@one.example`) ?? Infinity) - at)
    .sort((a, b) => a - b);
  const at = (share: number) => lateness[Math.ceil(share * count) - 1];
  const name = `${count} scheduled sends ${howLong(spreadMs)}`;
  return [
    { name: `${name}: reached the relay, once each`, ours: arrivedAt.size, unit: "" },
    { name: `${name}: ms after their time, median`, ours: at(0.5), unit: "ms" },
    {
      name: `${name}: ms after their time, greatest`,
      ours: at(1),
      unit: "ms",
      note: `p99 ${at(0.99)} ms, least ${lateness[0]} ms; ${relay.taken.length} transactions`,
    },
    {
      name: `${name}: processor time of one`,
      ours: (server.cpuSeconds() - cpuBefore) / count * 1_000,
      unit: "ms",
    },
  ];
}

/** When the relay accepted the first message for each recipient, ms since 1970. */
function arrivals(relay: SmtpRelay): Map<string, number> {
  const at = new Map<string, number>();
  relay.script.data = ({ to: [address] }) => {
    if (!at.has(address)) at.set(address, Date.now());
    return "take";
  };
  return at;
}
