/// <reference lib="deno.worker" />
// A thread that, during the attack, asks for health and sends small mail to another account.
import { inboundToken } from "../../service_process.ts";
import { stopping } from "../../../routes/http/bodies/intake.ts";
import { waitedMs } from "../../own_time.ts";

export interface WatchOrder {
  base: string;
  key: string;
  address: string;
}

/** Times in ms, without requests that a killed service never answered. */
export interface Watched {
  health: number[];
  /** From the post of a small message until its text could be read. */
  readable: number[];
  /** The same until it was indexed. */
  processed: number[];
  wrong: string[];
}

const healthEveryMs = 20;
const mailEveryMs = 200;
/** A longer wait has failed, even if the answer comes later. */
const deadlineMs = 30_000;

const seen: Watched = { health: [], readable: [], processed: [], wrong: [] };
let running = true;
let loops: Promise<unknown> = Promise.resolve();

self.onmessage = async ({ data }: MessageEvent<WatchOrder | null>) => {
  if (data) {
    loops = Promise.all([
      loop(healthEveryMs, () => watchHealth(data.base)),
      loop(mailEveryMs, (n) => watchMail(data, n)),
    ]);
    return;
  }
  running = false;
  await loops;
  self.postMessage(seen);
  self.close();
};

async function loop(everyMs: number, once: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; running; n++) {
    await once(n).catch((error) => {
      // A killed service refuses connections; a frozen one does not answer.
      if (error instanceof DOMException) seen.wrong.push(`no answer within ${deadlineMs} ms`);
    });
    await new Promise((next) => setTimeout(next, everyMs));
  }
}

async function watchHealth(base: string): Promise<void> {
  const elapsed = stopwatch();
  const answer = await ask(`${base}/v1/api/health`, {});
  seen.health.push(elapsed());
  const text = await answer.text();
  // A request that comes between SIGTERM and the end of the process is refused, as every other one.
  if (answer.status === 503 && text.includes(stopping().message)) return;
  if (answer.status !== 200) seen.wrong.push(`health was ${answer.status}: ${text}`);
}

async function watchMail({ base, key, address }: WatchOrder, n: number): Promise<void> {
  const elapsed = stopwatch();
  const posted = await ask(`${base}/inbound/raw`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${inboundToken}`,
      "content-type": "message/rfc822",
      "x-envelope-to": address,
      "x-envelope-from": "ada@example.net",
    },
    body:
      `From: ada@example.net\r\nSubject: small ${n}\r\nMessage-ID: <${crypto.randomUUID()}@example.net>\r\n\r\nhi\r\n`,
  });
  // A stopping service refuses mail; the sender retries.
  if (posted.status === 503) return void await posted.body?.cancel();
  const id = (await posted.json()).data?.results[0].email_id;
  if (!id) return void seen.wrong.push(`small mail was ${posted.status}`);
  const headers = { authorization: `Bearer ${key}` };
  const read = await ask(`${base}/v1/api/emails/${id}`, { headers });
  const text = (await read.json()).data?.body_text;
  seen.readable.push(elapsed());
  if (text?.trim() !== "hi") seen.wrong.push(`small mail ${id} was read as ${read.status}`);
  for (;;) {
    const list = await ask(`${base}/v1/api/emails?limit=1`, { headers });
    const [first] = (await list.json()).data ?? [];
    if (first?.email_id === id && first.processed) break;
    if (elapsed() > deadlineMs) {
      return void seen.wrong.push(`small mail ${id} was not processed within ${deadlineMs} ms`);
    }
    await new Promise((next) => setTimeout(next, 10));
  }
  seen.processed.push(elapsed());
}

/** Returns the ms since it was made, without this thread's own wait for a processor. */
function stopwatch(): () => number {
  const from = performance.now() - waitedMs();
  return () => performance.now() - waitedMs() - from;
}

function ask(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(deadlineMs) });
}
