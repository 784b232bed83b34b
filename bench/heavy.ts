import { createHash } from "node:crypto";
import { inboundHeaders, postOurs, untilProcessed } from "./arrivals.ts";
import { prepare, type Server, startService } from "./process.ts";
import type { Watched, WatchOrder } from "./watch_worker.ts";
import type { Figure } from "./figure.ts";
import type { BenchOptions } from "./options.ts";

export const description = "Hostile messages, and eight of 50 MB at once";

const mebibyte = 2 ** 20;
const largeBytes = 50 * mebibyte;
const largeAtOnce = 8;

/**
 * Hostile messages, one after another and all read back, then eight of 50 MB at once; health and small requests
 * meanwhile.
 */
export async function run({ say }: BenchOptions): Promise<Figure[]> {
  const figures = await bombs(say);
  say("eight messages of 50 MB at once");
  return [...figures, ...await eightLarge()];
}

async function bombs(say: BenchOptions["say"]): Promise<Figure[]> {
  await using server = await startService();
  const { key, address } = await prepare(server);
  const figures: Figure[] = [];
  using health = watch(page(`${server.base}/v1/api/health`));
  using peak = watchPeak(server);
  for (const [name, make] of Object.entries(bombMakers)) {
    say(name);
    const raw = make();
    const startedAt = performance.now();
    const id = await postOurs(server, address, raw, name);
    const accepted = performance.now() - startedAt;
    await ask(`${server.base}/v1/api/emails/${id}`, key);
    const back = await ask(`${server.base}/v1/api/emails/${id}/raw`, key);
    if (sha256(back) !== sha256(raw)) throw new Error(`${name} came back changed`);
    figures.push({
      name: `${name}, until accepted`,
      ours: accepted,
      unit: "ms",
      note: `read and equal after ${(performance.now() - startedAt).toFixed(0)} ms`,
    });
  }
  await untilProcessed(server, key);
  figures.push(tellTimes("health meanwhile", await health.stop(), 0.99));
  figures.push({ name: "peak of resident memory with all of these", ours: peak.most, unit: "MB" });
  return figures;
}

async function eightLarge(): Promise<Figure[]> {
  await using server = await startService();
  const { key, address } = await prepare(server);
  const small = await postOurs(server, address, text("From: a@example.net\r\n\r\nsmall\r\n"), "0");
  const large = Array.from({ length: largeAtOnce }, (_, n) => attachment(largeBytes, n));
  using reads = watch(page(`${server.base}/v1/api/emails/${small}`, key));
  using lists = watch(page(`${server.base}/v1/api/emails?limit=20`, key));
  using posts = watch({
    url: `${server.base}/inbound/raw`,
    headers: inboundHeaders(address),
    bodyStart: "From: a@example.net\r\n\r\nsmall ",
  });
  using peak = watchPeak(server);
  const startedAt = performance.now();
  await Promise.all(large.map((raw, n) => postOurs(server, address, raw, `large-${n}`)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const meanwhile = await Promise.all([reads.stop(), lists.stop(), posts.stop()]);
  await untilProcessed(server, key);
  return [
    { name: "eight messages of 50 MB at once, until all are accepted", ours: seconds, unit: "s" },
    ...["one email", "list of 20", "small arrivals"].map((name, n) =>
      tellTimes(`${name} meanwhile`, meanwhile[n], 0.95)
    ),
    { name: "peak of resident memory with these", ours: peak.most, unit: "MB" },
  ];
}

async function ask(url: string, key?: string): Promise<Uint8Array> {
  const answer = await fetch(url, key ? { headers: { authorization: `Bearer ${key}` } } : {});
  const body = await answer.bytes();
  if (!answer.ok) throw new Error(`${url} ${answer.status}`);
  return body;
}

/** Sends requests again and again in a separate thread, so that sending large messages does not delay them. */
function watch(order: NonNullable<WatchOrder>): { stop(): Promise<number[]> } & Disposable {
  const worker = new Worker(new URL("./watch_worker.ts", import.meta.url), { type: "module" });
  worker.postMessage(order);
  return {
    stop: () =>
      new Promise((done, fail) => {
        worker.onmessage = ({ data }: MessageEvent<Watched>) => {
          if ("times" in data) done(data.times);
          else fail(new Error(data.failure));
        };
        worker.postMessage(null);
      }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** A request for a page, with `key` or without a credential. */
function page(url: string, key?: string): NonNullable<WatchOrder> {
  return { url, headers: key ? { authorization: `Bearer ${key}` } : {}, bodyStart: null };
}

function tellTimes(name: string, times: number[], share: number): Figure {
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return {
    name: `${name}, p${share * 100}`,
    ours: at(share),
    unit: "ms",
    note: `p50 ${at(0.5).toFixed(1)} ms, worst ${at(1).toFixed(0)} ms, ${times.length} asked`,
  };
}

/** The highest resident memory until it is read, in MB, sampled twenty times a second. */
function watchPeak(server: Server): { readonly most: number } & Disposable {
  let most = 0;
  const timer = setInterval(() => most = Math.max(most, server.residentMB()), 50);
  return {
    get most() {
      return most;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const text = (value: string) => new TextEncoder().encode(value);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const head = "From: a@example.net\r\nSubject: heavy\r\nMIME-Version: 1.0\r\n";

/** A message of `size` bytes, nearly all of them an attachment in base64 that deflate cannot make smaller. */
export function attachment(bytes: number, seed: number): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(bytes);
  const start = text(
    `${head}Content-Type: application/octet-stream; name="a.bin"\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
  );
  raw.set(start);
  const letters = text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  let state = seed + 1;
  for (let n = start.length, column = 0; n < bytes; n++, column = (column + 1) % 78) {
    state = Math.imul(state, 1_103_515_245) + 12_345 | 0;
    raw[n] = column === 76 ? 13 : column === 77 ? 10 : letters[(state >>> 16) & 63];
  }
  return raw;
}

const bombMakers: Record<string, () => Uint8Array> = {
  "multipart 10,000 deep": () => {
    let raw = head;
    for (let n = 0; n < 10_000; n++) {
      raw += `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
    }
    return text(`${raw}Content-Type: text/plain\r\n\r\ninside\r\n`);
  },
  "100,000 parts": () =>
    text(
      `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${
        "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n".repeat(100_000)
      }--b--\r\n`,
    ),
  "100,000 headers": () => text(`${head}${"X-Header: some value\r\n".repeat(100_000)}\r\nbody\r\n`),
  "1 MB of encoded words in a Subject": () =>
    text(
      `From: a@example.net\r\nSubject: ${"=?utf-8?q?=C3=A9?=\r\n ".repeat(58_000)}\r\n\r\nbody\r\n`,
    ),
  "1 MB of References": () =>
    text(
      `${head}References: ${
        Array.from({ length: 50_000 }, (_, n) => `<${n}@example.net>`).join("\r\n ")
      }\r\n\r\nbody\r\n`,
    ),
  "25 MB of quoted-printable": () =>
    text(
      `${head}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${
        "=C3=A9t=C3=A9 and more of it =3D=\r\n".repeat(25 * mebibyte / 35)
      }`,
    ),
  "an attachment of 25 MB": () => attachment(25 * mebibyte, 1),
  "5 MB of NUL bytes": () => {
    const raw = new Uint8Array(5 * mebibyte);
    raw.set(text(`${head}\r\n`));
    return raw;
  },
  "1 MB with bare CR line ends": () =>
    text(`${head.replaceAll("\r\n", "\r")}\r${"a line of text\r".repeat(70_000)}`),
  "1 MB without a header": () => text("no header here, and no colon at all\r\n".repeat(28_000)),
};
