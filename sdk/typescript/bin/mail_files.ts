import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import process from "node:process";
import { readMbox } from "../../../commands/mbox.ts";
import type { LetterboxError } from "../src/index.ts";
import { createTransport, json } from "../src/transport.ts";
import type { Context } from "./options.ts";
import { plain, print, printJson } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

interface Outcome {
  results?: { disposition: string; code?: string }[];
}

/** The result of a message that the inbound route will never take; throws another error. */
function refusalOf(error: LetterboxError): { disposition: string; code?: string } {
  if (![400, 413, 422].includes(error.status)) throw error;
  const [result] = (error.details as Outcome).results ?? [];
  return result ?? { disposition: "rejected", code: error.code };
}

/**
 * Delivers mail to the inbound route, one message a request. The service skips messages that the mailbox already has.
 * Names the messages that it refuses, and goes on; the exit status is then 1.
 */
export async function importMail({ base, values, words }: Context): Promise<void> {
  const [to] = values.to as string[] ?? [];
  const token = values.token ?? process.env.LETTERBOX_INBOUND_TOKEN;
  if (words.length !== 1 || !to) throw new UsageError("give a PATH and --to ADDRESS");
  if (!token) throw new UsageError("give --token, or set LETTERBOX_INBOUND_TOKEN");
  const send = createTransport({ baseUrl: base, apiKey: String(token) });
  const counts: Record<string, number> = {};
  for await (const { name, raw } of messagesOf(words[0])) {
    const headers = {
      "content-type": "message/rfc822",
      "x-envelope-to": to,
      "x-envelope-from": senderOf(raw),
    };
    const body = new Uint8Array(raw);
    const request = { method: "POST", path: "/inbound/raw", headers, body, repeatable: true };
    const { disposition, code } = await send(request, json).then(
      ({ data }) => (data as Outcome).results![0],
      refusalOf,
    );
    counts[disposition] = (counts[disposition] ?? 0) + 1;
    if (disposition !== "rejected") continue;
    process.stderr.write(`${name}: ${code}\n`);
    process.exitCode = 1;
  }
  if (values.json) printJson(counts);
  else print(Object.entries(counts).map(([name, n]) => `${n} ${name}`).join(", ") || "no mail");
}

/** In UTF-8 (RFC 6531), each byte as a character. */
const address = /[\w.!#$%&'*+/=?^`{|}~\x80-\xff-]+@[\w.\x80-\xff-]+/;

/** The From address. Without one the message would come from the null sender: as automatic mail, which has no reply. */
function senderOf(raw: Uint8Array): string {
  const [head] = Buffer.from(raw.subarray(0, 65_536)).toString("latin1").split(/\r?\n\r?\n/, 1);
  const [, field = ""] = /^from[ \t]*:(.*)$/im.exec(head.replace(/\r?\n[ \t]+/g, " ")) ?? [];
  const unquoted = field.slice(0, 2_000).replace(/"[^"]*"/g, "");
  const [, inBrackets = unquoted] = /<([^<>]*)>/.exec(unquoted) ?? [];
  return address.exec(inBrackets)?.[0] ?? "";
}

async function* messagesOf(path: string): AsyncGenerator<{ name: string; raw: Uint8Array }> {
  if ((await stat(path)).isDirectory()) {
    const names = await readdir(path, { recursive: true });
    // Apple Mail exports a mailbox as a folder `NAME.mbox` with this file.
    if (names.includes("mbox")) return yield* messagesOf(join(path, "mbox"));
    for (const name of names.filter((each) => isEml(each) || isOfMaildir(each)).sort(byNumber)) {
      yield { name: join(path, name), raw: await readFile(join(path, name)) };
    }
  } else if (await startsLikeMbox(path)) {
    let count = 0;
    for await (const raw of readMbox(createReadStream(path))) {
      yield { name: `message ${++count} of ${path}`, raw };
    }
  } else {
    yield { name: path, raw: await readFile(path) };
  }
}

const isEml = (name: string) => name.toLowerCase().endsWith(".eml");
const isOfMaildir = (name: string) => /^(?:cur|new)[/\\][^./\\][^/\\]*$/.test(name);
const byNumber = new Intl.Collator("en", { numeric: true }).compare;

async function startsLikeMbox(path: string): Promise<boolean> {
  for await (const piece of createReadStream(path, { end: 4 })) return String(piece) === "From ";
  return false;
}

/** Writes each mail as `<email_id>.eml` and its record into emails.jsonl. */
export async function exportMail({ client, values }: Context, mailbox_id: string): Promise<void> {
  if (typeof values.out !== "string") throw new UsageError("give --out DIR");
  const { out } = values;
  await mkdir(out, { recursive: true });
  const records: string[] = [];
  for await (const email of client.emails.list({ mailbox_id, limit: 100, order: "asc" })) {
    const body = await client.emails.raw(email.email_id).catch((error) => {
      // It was deleted after it was listed.
      if (error.code === "NOT_FOUND") return null;
      throw error;
    });
    if (body === null) continue;
    const raw = await new Response(body).arrayBuffer();
    await writeFile(join(out, `${email.email_id}.eml`), new Uint8Array(raw));
    records.push(`${JSON.stringify(email)}\n`);
  }
  await writeFile(join(out, "emails.jsonl"), records.join(""));
  if (values.json) printJson({ messages: records.length });
  else print(`${records.length} messages in ${out}`);
}

/** Writes each attachment of a mail into `--out`, else into the current folder, under the name that the mail gives it. */
export async function saveAttachments({ client, values }: Context, id: string): Promise<void> {
  const out = typeof values.out === "string" ? values.out : ".";
  const { attachments } = await client.emails.get(id);
  await mkdir(out, { recursive: true });
  for (const { attachment_id, filename } of attachments) {
    const body = await client.emails.attachment(id, attachment_id);
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    const path = await writeNew(out, fileName(filename) || attachment_id, bytes);
    if (values.json) printJson({ attachment_id, filename, path });
    else print(plain(path));
  }
  if (attachments.length === 0 && !values.json) print("no attachments");
}

/** A name from a mail without folders, without a dot in front, and short enough for every file system. */
function fileName(name: string | null): string {
  const last = plain(name ?? "").replace(/\s+/g, " ").split(/[\\/]/).pop()!;
  return [...last.replace(/^[ .]+| +$/g, "")].slice(-60).join("");
}

/** Writes a file that does not exist yet: `a.pdf`, else `a (2).pdf` and so on. Returns its path. */
async function writeNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let n = 1;; n++) {
    const path = join(folder, n === 1 ? name : `${stem} (${n})${ext}`);
    try {
      await writeFile(path, bytes, { flag: "wx" });
      return path;
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
}
