import { createHash } from "node:crypto";
import { SmtpTalk } from "../../routes/inbound/smtp_talk.ts";
import { postMail } from "../../service_process.ts";

/** A hostile message that the service accepted. */
export interface Delivered {
  name: string;
  emailId: string;
  sha256: string;
}

/** Where hostile mail goes. */
export interface Target {
  base: string;
  smtpPort: number;
  key: string;
  address: string;
}

/** Anything without an answer within this time has failed. */
const deadlineMs = 20_000;
/** For twenty messages at once, which begin again after each kill. */
const backlogMs = 60_000;

/** Posts a message; returns its id, or throws with the answer. */
export async function deliverRaw(
  { base, address }: Target,
  bytes: Uint8Array<ArrayBuffer>,
  reversePath: string,
): Promise<string> {
  const answer = await postMail(base, address, bytes, {
    from: reversePath,
    signal: AbortSignal.timeout(deadlineMs),
  });
  const body = await answer.json();
  const [result] = body.data?.results ?? [];
  if (result?.disposition !== "accepted") {
    throw new Error(`/inbound/raw was ${answer.status} ${JSON.stringify(result ?? body.error)}`);
  }
  return result.email_id;
}

/** The same over SMTP, in DATA; a point at the start of a line is doubled (RFC 5321, section 4.5.2). */
export async function deliverSmtp(
  { smtpPort, address }: Target,
  bytes: Uint8Array,
  reversePath: string,
): Promise<string> {
  using talk = await SmtpTalk.connect(smtpPort);
  await talk.say("EHLO hostile.example");
  await talk.say(`MAIL FROM:<${reversePath}>`);
  await talk.say(`RCPT TO:<${address}>`);
  await talk.say("DATA");
  await talk.send(stuffed(bytes));
  const reply = await talk.say(".");
  const id = /Taken as (\S+)/.exec(reply)?.[1];
  if (!id) throw new Error(`SMTP was ${reply}`);
  return id;
}

/** A message as SMTP carries it: the last line has its line end. */
export function withLineEnd(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.at(-2) === 0x0d && bytes.at(-1) === 0x0a) return bytes;
  const ended = new Uint8Array(bytes.length + 2);
  ended.set(bytes);
  ended.set([0x0d, 0x0a], bytes.length);
  return ended;
}

function stuffed(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length * 2);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const starts = at === 0 || (bytes[at - 2] === 0x0d && bytes[at - 1] === 0x0a);
    if (starts && bytes[at] === 0x2e) out[length++] = 0x2e;
    out[length++] = bytes[at];
  }
  return out.subarray(0, length);
}

/** Resolves once the account's newest email is this one and is processed. */
export async function untilProcessed({ base, key }: Target, emailId: string): Promise<void> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const { data: [first] } = await json(`${base}/v1/api/emails?limit=1`, key);
    if (first?.email_id !== emailId) throw new Error(`${emailId} is not listed first`);
    if (first.processed) return;
    if (performance.now() > until) throw new Error(`not processed within ${deadlineMs} ms`);
    await new Promise((next) => setTimeout(next, 10));
  }
}

/** Resolves once all of these are processed; it looks at the hundred newest emails. */
export async function untilAllProcessed(
  { base, key }: Target,
  emailIds: readonly string[],
): Promise<void> {
  const until = performance.now() + backlogMs;
  for (;;) {
    const { data } = await json(`${base}/v1/api/emails?limit=100`, key);
    const done = new Set<string>();
    for (const each of data) if (each.processed) done.add(each.email_id);
    const waiting = emailIds.filter((id) => !done.has(id));
    if (waiting.length === 0) return;
    if (performance.now() > until) {
      throw new Error(`not processed within ${backlogMs} ms: ${waiting.join(", ")}`);
    }
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** The result of reading a message. */
export interface Reading {
  /** Broken promises. */
  wrong: string[];
  /** The email's `problem`: what the service could not read. */
  problem: string | null;
}

/** Reads a message through every route. */
export async function read(
  { base, key }: Target,
  { emailId, sha256: sent }: Delivered,
): Promise<Reading> {
  const wrong: string[] = [];
  const { data: email } = await json(`${base}/v1/api/emails/${emailId}`, key);
  if (typeof email.body_text !== "string") wrong.push("has no text");
  const { data: thread } = await json(`${base}/v1/api/threads/${email.thread_id}`, key);
  const inThread = thread.thread.some((each: { email_id: string }) => each.email_id === emailId);
  if (!inThread && !thread.has_more) wrong.push("is not in its thread");
  for (const { attachment_id } of email.attachments.slice(0, 1)) {
    const attachment = await get(
      `${base}/v1/api/emails/${emailId}/attachments/${attachment_id}`,
      key,
    );
    await attachment.body?.cancel();
  }
  for (const part of ["/links", "/verification", "?segments=true"]) {
    await (await get(`${base}/v1/api/emails/${emailId}${part}`, key)).body?.cancel();
  }
  const raw = await get(`${base}/v1/api/emails/${emailId}/raw`, key);
  if (sha256(await raw.bytes()) !== sent) wrong.push("its raw bytes differ");
  return { wrong, problem: email.problem ?? null };
}

/** Whether a search for the mark finds the message. */
export async function isFound(
  { base, key }: Target,
  mark: string,
  emailId: string,
): Promise<boolean> {
  const answer = await fetch(`${base}/v1/api/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query: mark }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  return (await answer.text()).includes(emailId);
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function get(url: string, key: string): Promise<Response> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(deadlineMs),
  });
  if (!answer.ok) throw new Error(`${new URL(url).pathname} was ${answer.status}`);
  return answer;
}

async function json(url: string, key: string) {
  return await (await get(url, key)).json();
}
