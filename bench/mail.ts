import { Buffer } from "node:buffer";
import { join } from "node:path";
import { UsageError } from "../commands/command_line.ts";
import type { BenchOptions } from "./options.ts";

/** Sizes of real mail, in bytes: deciles of a mailing-list archive, with the tail of attachments. */
const madeSizes = [900, 1_600, 2_200, 2_900, 3_600, 4_400, 5_600, 8_000, 14_000, 60_000];
const madeMessages = 1_000;

/** The messages of `--mail DIR`, or made ones of the sizes of real mail; at most `--messages N`. Throws UsageError. */
export async function benchMessages(
  { mail, messages }: Pick<BenchOptions, "mail" | "messages">,
): Promise<Uint8Array[]> {
  if (mail === undefined) {
    return Array.from({ length: messages ?? madeMessages }, (_, i) => made(i));
  }
  return (await readMessages(mail)).slice(0, messages).map(({ raw }) => raw);
}

/** `count` messages: the given ones, then copies of all of them, again and again. */
export function repeated(messages: Uint8Array[], count: number): Uint8Array[] {
  return Array.from(
    { length: count },
    (_, n) => copyOf(messages[n % messages.length], Math.floor(n / messages.length)),
  );
}

/**
 * Another message with the same text; copy 0 is the message itself. A copy has other message ids in its header, so that
 * copies make other threads. It also has a field with its number, because a message may have no id.
 */
export function copyOf(raw: Uint8Array, copy: number): Uint8Array {
  if (copy === 0) return raw;
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  const headEnd = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const field = /^(?:message-id|in-reply-to|references):.*(?:\r?\n[ \t].*)*/gim;
  const head = text.slice(0, headEnd).replace(
    field,
    (found) => found.replace(/<([^<>@\s]+)@/g, `<$1.copy${copy}@`),
  );
  return Buffer.from(`${head}\r\nX-Copy: ${copy}${text.slice(headEnd)}`, "latin1");
}

/**
 * The messages of a folder in the order of their files' names; links to files are followed. Throws UsageError if there
 * are none.
 */
export async function readMessages(folder: string): Promise<{ name: string; raw: Uint8Array }[]> {
  const messages: { name: string; raw: Uint8Array }[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    // A link may lead to nothing or to a folder.
    const isFile = await Deno.stat(path).then((info) => info.isFile, () => false);
    if (!isFile) continue;
    const raw = await Deno.readFile(path);
    if (beginsWithHeader(raw)) messages.push({ name, raw });
  }
  if (messages.length > 0) return messages;
  throw new UsageError(`--mail ${folder} has no message in it: one a file, and not in folders`);
}

/** `Name:` or an mbox's `From `. */
function beginsWithHeader(raw: Uint8Array): boolean {
  return /^(?:From |[!-9;-~]+[ \t]*:)/.test(new TextDecoder("latin1").decode(raw.subarray(0, 200)));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    return names.filter((name) => !name.startsWith(".")).sort();
  } catch {
    throw new UsageError(`--mail ${folder} is no folder that can be read`);
  }
}

const words =
  "invoice meeting order project review deadline customer shipment report travel contract payment update question schedule budget design release weekly figures"
    .split(" ");

/** A message that looks like mail: a thread of five, a multipart every fourth, text of many words. */
function made(i: number): Uint8Array {
  const size = madeSizes[i % madeSizes.length];
  let text = "";
  for (let n = i; text.length < size; n = (n * 31 + 7) % 9_973) {
    text += `${words[n % words.length]} ${n.toString(36)}${n % 11 === 0 ? "\r\n" : " "}`;
  }
  const first = i - i % 5;
  const head = [
    `From: Sender ${i % 40} <sender${i % 40}@example.net>`,
    "To: Agent <agent@agents.test>",
    `Subject: ${i === first ? "" : "Re: "}${words[first % words.length]} ${first}`,
    `Message-ID: <${i}.bench@example.net>`,
    ...(i === first ? [] : [
      `In-Reply-To: <${i - 1}.bench@example.net>`,
      `References: <${first}.bench@example.net> <${i - 1}.bench@example.net>`,
    ]),
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "MIME-Version: 1.0",
  ];
  const body = i % 4 === 3
    ? `Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${
      text.slice(0, size / 2)
    }\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>${text.slice(0, size / 2)}</p>\r\n--b--\r\n`
    : `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`;
  return new TextEncoder().encode(`${head.join("\r\n")}\r\n${body}`);
}

let smallOnes = 0;

/** A message of a few words, with another id each time. */
export function small(): Uint8Array {
  return new TextEncoder().encode(
    "From: noreply@shop.example\r\nTo: agent@agents.test\r\nSubject: Mail\r\n" +
      `Message-ID: <${++smallOnes}.${crypto.randomUUID()}@shop.example>\r\n\r\nWords\r\n`,
  );
}

/** A message of so many bytes, nearly all of them an attachment in base64 that deflate cannot make smaller. */
export function attachment(bytes: number): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(bytes);
  const start = new TextEncoder().encode(
    "From: a@example.net\r\nSubject: heavy\r\nMIME-Version: 1.0\r\n" +
      'Content-Type: application/octet-stream; name="a.bin"\r\n' +
      "Content-Transfer-Encoding: base64\r\n\r\n",
  );
  raw.set(start);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let state = 1;
  for (let n = start.length, column = 0; n < bytes; n++, column = (column + 1) % 78) {
    state = Math.imul(state, 1_103_515_245) + 12_345 | 0;
    raw[n] = column === 76 ? 13 : column === 77 ? 10 : letters.charCodeAt((state >>> 16) & 63);
  }
  return raw;
}
