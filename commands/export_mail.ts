import { createHash } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import { manifestName, type manifestSchema, mboxName } from "./mail_source.ts";
import { mboxEntry } from "./mbox.ts";
import { patientFetch, reach } from "./patient_fetch.ts";
import type { Progress } from "./progress.ts";

export interface ExportOptions {
  /** Address of the mailbox. */
  mailbox: string;
  out: string;
  url: string;
  /** An API key that may read the mailbox. */
  key: string;
  progress: Progress;
  /** Called with the seconds whenever the export waits for the account's request window. */
  waiting(seconds: number): void;
}

/** The fields that the export reads; the whole record goes into emails.jsonl. */
interface ListedEmail {
  email_id: string;
  from: string;
  received_at: string;
  size: number;
}

/**
 * Writes a mailbox into a folder, oldest first: `mail.mbox` (the original bytes), `emails.jsonl` (the records) and
 * `manifest.json` (id, SHA-256 and size of each message, in the mbox's order), with which an import verifies the bytes.
 * Returns the number of messages. Throws if the mailbox or the key is unknown.
 */
export async function exportMail(options: ExportOptions): Promise<number> {
  const { out, progress } = options;
  await reach(options.url);
  const box = await findMailbox(options);
  await Deno.mkdir(out, { recursive: true });
  using mbox = await Deno.create(join(out, mboxName));
  using records = await Deno.create(join(out, "emails.jsonl"));
  const manifest: z.infer<typeof manifestSchema> = [];
  progress.start(await countEmails(options, box));
  try {
    for await (const email of listed(options, box)) {
      const raw = await rawOf(options, email.email_id);
      await writeAll(mbox, mboxEntry(raw, email.from, new Date(email.received_at)));
      await writeAll(records, new TextEncoder().encode(`${JSON.stringify(email)}\n`));
      const sha256 = createHash("sha256").update(raw).digest("hex");
      manifest.push({ email_id: email.email_id, sha256, size: raw.length });
      progress.at(manifest.length, "");
    }
  } finally {
    progress.stop();
  }
  const lines = manifest.map((each) => JSON.stringify(each)).join(",\n");
  await Deno.writeTextFile(join(out, manifestName), `[\n${lines}\n]\n`);
  return manifest.length;
}

async function findMailbox(options: ExportOptions): Promise<string> {
  const { mailboxes } = await json(options, "/v1/api/mailboxes");
  const wanted = options.mailbox.toLowerCase();
  const box = mailboxes.find((each: { email_address: string }) => each.email_address === wanted);
  if (!box) throw new Error(`the key sees no mailbox ${options.mailbox}`);
  return box.mailbox_id;
}

/** Only for the progress bar: a page has `has_more`, but no total. */
async function countEmails(options: ExportOptions, mailboxId: string): Promise<number> {
  let count = 0;
  for await (const _ of listed(options, mailboxId)) count++;
  return count;
}

async function* listed(options: ExportOptions, mailboxId: string): AsyncGenerator<ListedEmail> {
  for (let cursor: string | null = null;;) {
    const query = new URLSearchParams({ mailbox_id: mailboxId, order: "asc", limit: "100" });
    if (cursor) query.set("cursor", cursor);
    const { data, meta } = await json(options, `/v1/api/emails?${query}`);
    yield* data;
    if (!meta.has_more) return;
    cursor = meta.next_cursor;
  }
}

async function rawOf(options: ExportOptions, emailId: string): Promise<Uint8Array> {
  return await (await get(options, `/v1/api/emails/${emailId}/raw`)).bytes();
}

// deno-lint-ignore no-explicit-any -- answers of the service; contract tests check them against their schemas
async function json(options: ExportOptions, path: string): Promise<any> {
  return await (await get(options, path)).json();
}

async function get({ url, key, waiting }: ExportOptions, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await patientFetch(url + path, { headers }, waiting);
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw new Error(`${path} answers ${answer.status} ${error.code}: ${error.message}`);
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}
