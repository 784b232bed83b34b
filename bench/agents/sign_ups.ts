import { createTransport } from "nodemailer";
import { call, freePort, postMail } from "../../tests/service_process.ts";
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { type Agent, agents, eml } from "./account.ts";
import { median, startService } from "../process.ts";

/** This many sign-ups wait at the same time. */
const atOnce = 20;
const mailsOfOthers = 500;

/**
 * Sign-ups: an agent waits for a code in a mailbox that already has an old code and a decoy. The mail comes over SMTP
 * up to 3 s later, or has just come. Then an expectation, and mail of other domains that must not meet it.
 */
export async function signUp({ messages = 200, say }: BenchOptions): Promise<Figure[]> {
  const port = freePort();
  await using server = await startService({ SMTP_LISTEN_PORT: String(port) });
  const [agent] = await agents(server.base, 1, messages);
  const relay = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: 10,
    tls: { rejectUnauthorized: false },
  });
  const late: number[] = [];
  let right = 0;
  const one = async (n: number) => {
    const box = agent.mailboxes[n];
    const stale = codeOf(n + 500_000), code = codeOf(n);
    await postMail(server.base, box.email_address, eml("Your code", `Your code is ${stale}.`));
    await postMail(
      server.base,
      box.email_address,
      eml("Your order", `Order number ${codeOf(n + 250_000)}, 49.90 EUR, call 030 901820.`),
    );
    const isFirst = n % 4 === 0;
    const since = new Date().toISOString();
    let acknowledgedAt = 0;
    const send = async () => {
      await relay.sendMail({
        envelope: { from: "noreply@shop.example", to: [box.email_address] },
        raw: eml(
          "Confirm your address",
          `Welcome. Your code is ${code}. It is valid for 10 minutes.`,
        ),
      });
      acknowledgedAt = performance.now();
    };
    if (isFirst) await send();
    const asked = performance.now();
    const waiting = wait(server.base, agent, {
      mailbox_id: box.mailbox_id,
      since,
      require: "code",
    });
    if (!isFirst) {
      await new Promise((done) => setTimeout(done, (n * 7919) % 3_000));
      await send();
    }
    const { verification } = (await waiting).data;
    late.push(performance.now() - Math.max(acknowledgedAt, asked));
    if (verification?.best_code === code) right++;
  };
  let next = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (next < messages) await one(next++);
  }));
  late.sort((a, b) => a - b);
  say(`${right} right codes of ${messages}`);
  const others = Math.min(mailsOfOthers, messages * 3);
  const met = await expectations(server.base, agent, others);
  relay.close();
  return [
    { name: "sign-ups that got the right code", ours: right, unit: `of ${messages}` },
    {
      name: "from the acknowledgement (or the later question) to the answer with the code, p95",
      ours: late[Math.floor(late.length * 0.95)],
      unit: "ms",
      note: `median ${median(late).toFixed(1)} ms, worst ${
        late.at(-1)?.toFixed(1)
      } ms; ${atOnce} at once`,
    },
    {
      name: `expectations that mail of other domains met`,
      ours: met.wrong,
      unit: `of ${others}`,
      note: met.right
        ? "mail of the right domain met it afterwards"
        : "NOT met by the right domain",
    },
  ];
}

/** Mail of other domains, then of the right one, to a mailbox that expects a code. */
async function expectations(base: string, agent: Agent, others: number) {
  const { mailbox_id, email_address } = agent.mailboxes[0];
  const wanted = { mailbox_id, from_domain: "bank.example", kind: "code" };
  const made = await call(`${base}/v1/api/expectations`, wanted, agent.key);
  const read = async (seconds: number) => {
    const path = `/v1/api/expectations/${made.data.expectation_id}?timeout_seconds=${seconds}`;
    const answer = await fetch(base + path, { headers: bearer(agent) });
    return (await answer.json()).data;
  };
  const wrong = ["shop.example", "bank.example.evil.example", "xbank.example", "bank-example.com"];
  for (let n = 0; n < others; n++) {
    const domain = wrong[n % wrong.length];
    const from = `"service@bank.example" <code${n}@${domain}>`;
    await postMail(base, email_address, eml("Your code", `Your code is ${codeOf(n)}.`, from));
  }
  const before = await read(5);
  const from = "Bank <service@mail.bank.example>";
  await postMail(base, email_address, eml("Your code", "Your code is 730119.", from));
  const after = await read(30);
  return {
    wrong: before.status === "waiting" ? 0 : 1,
    right: after.status === "matched" && after.code === "730119",
  };
}

/** Six digits, different for each sign-up. */
function codeOf(n: number): string {
  return String(100_003 + (n * 104_729) % 899_981);
}

async function wait(base: string, agent: Agent, query: Record<string, string>) {
  const url = `${base}/v1/api/emails/wait?${new URLSearchParams(query)}`;
  return await (await fetch(url, { headers: bearer(agent) })).json();
}

function bearer({ key }: Agent): HeadersInit {
  return { authorization: `Bearer ${key}` };
}
