import { createHash } from "node:crypto";
import { join } from "node:path";
import { type ManifestEntry, manifestName, mboxName, recordsName } from "../archives/own_export.ts";
import { mboxEntry } from "./mbox.ts";
import { patientFetch, reach } from "./patient_fetch.ts";
import type { Progress } from "./progress.ts";

export interface ExportOptions {
  out: string;
  url: string;
  /** An API key that may read the mail. */
  key: string;
  progress: Progress;
  /** Called with the id of each message that the service cannot read; the others are exported. */
  unreadable(emailId: string): void;
  /** Called with the seconds whenever the export waits for the account's request window. */
  waiting(seconds: number): void;
}

/** The fields that the export reads; the whole record goes into emails.jsonl. */
interface ListedEmail {
  email_id: string;
  from: string;
  received_at: string;
}

interface ListedMailbox {
  mailbox_id: string;
  email_address: string;
}

/**
 * Writes a mailbox into the folder `out`, oldest first: `mail.mbox` (the original bytes), `emails.jsonl` (the records) and
 * `manifest.json` (id, SHA-256 and size of each message, in the mbox's order), with which an import verifies the bytes.
 * Returns the number of messages. Throws if the mailbox or the key is unknown.
 */
export async function exportMail(options: ExportOptions & { mailbox: string }): Promise<number> {
  await reach(options.url);
  const wanted = options.mailbox.toLowerCase();
  const box = (await mailboxes(options)).find((each) => each.email_address === wanted);
  if (!box) throw new Error(`the key sees no mailbox ${options.mailbox}`);
  return await exported(options, [{ box, folder: options.out }]);
}

/**
 * Writes every mailbox that the key sees into `out/<address>`, as `exportMail` does, empty ones too. Returns the numbers of
 * mailboxes and of messages.
 */
export async function exportAccount(
  options: ExportOptions,
): Promise<{ mailboxes: number; messages: number }> {
  await reach(options.url);
  const boxes = await mailboxes(options);
  await Deno.mkdir(options.out, { recursive: true });
  const messages = await exported(
    options,
    // No character of an address has a meaning in a path.
    boxes.map((box) => ({ box, folder: join(options.out, box.email_address) })),
  );
  return { mailboxes: boxes.length, messages };
}

/** A mailbox as it was when the export began. Later mail is left out, so that an export ends. */
interface Target {
  box: ListedMailbox;
  folder: string;
  count: number;
  /** The time of its newest message. */
  until: string;
}

async function exported(
  options: ExportOptions,
  boxes: readonly Pick<Target, "box" | "folder">[],
): Promise<number> {
  const { progress } = options;
  const targets: Target[] = [];
  for (const each of boxes) {
    const target = { ...each, count: 0, until: "" };
    for await (const { received_at } of listed(options, each.box)) {
      target.count++;
      target.until = received_at;
    }
    targets.push(target);
  }
  progress.start(targets.reduce((sum, { count }) => sum + count, 0));
  let written = 0;
  try {
    for (const target of targets) {
      const note = targets.length > 1 ? target.box.email_address : "";
      await writeMailbox(options, target, () => progress.at(++written, note));
    }
  } finally {
    progress.stop();
  }
  return written;
}

/** Has one message in memory at a time. The manifest is written last. */
async function writeMailbox(
  options: ExportOptions,
  { box, folder, until }: Target,
  wrote: () => void,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const path = join(folder, manifestName), unfinished = `${path}.part`;
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  {
    using mbox = await Deno.create(join(folder, mboxName));
    using records = await Deno.create(join(folder, recordsName));
    using manifest = await Deno.create(unfinished);
    let separator = "[\n";
    for await (const email of listed(options, box)) {
      if (email.received_at > until) break;
      const raw = await rawOf(options, email.email_id);
      if (!raw) continue;
      for (const piece of mboxEntry(raw, email.from, new Date(email.received_at))) {
        await writeAll(mbox, piece);
      }
      await writeAll(records, `${JSON.stringify(email)}\n`);
      const entry: ManifestEntry = {
        email_id: email.email_id,
        sha256: createHash("sha256").update(raw).digest("hex"),
        size: raw.length,
      };
      await writeAll(manifest, separator + JSON.stringify(entry));
      separator = ",\n";
      wrote();
    }
    await writeAll(manifest, separator === "[\n" ? "[]\n" : "\n]\n");
  }
  await Deno.rename(unfinished, path);
}

async function mailboxes(options: ExportOptions): Promise<ListedMailbox[]> {
  return (await json(options, "/v1/api/mailboxes")).mailboxes;
}

/** Ends early if the mailbox is deleted meanwhile. */
async function* listed(
  options: ExportOptions,
  { mailbox_id }: ListedMailbox,
): AsyncGenerator<ListedEmail> {
  for (let cursor: string | null = null;;) {
    const query = new URLSearchParams({ mailbox_id, order: "asc", limit: "100" });
    if (cursor) query.set("cursor", cursor);
    const answer = await get(options, `/v1/api/emails?${query}`);
    if (!answer) return;
    const { data, meta } = JSON.parse(new TextDecoder().decode(answer));
    yield* data;
    if (!meta.has_more) return;
    cursor = meta.next_cursor;
  }
}

/** The original message; null if it was deleted since it was listed, or if the service cannot read it. */
async function rawOf(options: ExportOptions, emailId: string): Promise<Uint8Array | null> {
  try {
    return await get(options, `/v1/api/emails/${emailId}/raw`);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    options.unreadable(emailId);
    return null;
  }
}

/** The service answers 500, or the answer breaks off each time. */
class Unreadable extends Error {}

// deno-lint-ignore no-explicit-any -- answers of the service; contract tests check them against their schemas
async function json(options: ExportOptions, path: string): Promise<any> {
  const bytes = await get(options, path);
  if (!bytes) throw new Error(`${path} is not found`);
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** How often a request is repeated if the body of its answer breaks off. */
const maxBroken = 5;

/** The whole body of an answer; null for 404. Throws for every other failure. */
async function get(
  { url, key, waiting }: ExportOptions,
  path: string,
): Promise<Uint8Array | null> {
  const headers = { authorization: `Bearer ${key}` };
  for (let broken = 1;; broken++) {
    const answer = await patientFetch(url + path, { headers }, waiting);
    if (answer.ok) {
      try {
        return await answer.bytes();
      } catch (error) {
        if (broken === maxBroken) throw new Unreadable(`${path} breaks off`, { cause: error });
        continue;
      }
    }
    const { error } = await answer.json();
    if (answer.status === 404) return null;
    const Failure = answer.status === 500 ? Unreadable : Error;
    throw new Failure(`${path} answers ${answer.status} ${error.code}: ${error.message}`);
  }
}

async function writeAll(file: Deno.FsFile, content: Uint8Array | string): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}
