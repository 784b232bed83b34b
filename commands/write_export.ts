import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ManifestEntry, manifestName, mboxName, recordsName } from "../archives/own_export.ts";
import type { ExportedEmail } from "../sdk/typescript/src/export.ts";
import { mboxEntry } from "./mbox.ts";

/** Called while an export is written. */
export interface ExportEvents {
  wrote(): void;
  /** The service has lost bytes of this email; it is left out. */
  unreadable(emailId: string): void;
}

/**
 * Writes mail into a folder: `mail.mbox` (the original bytes), `emails.jsonl` (the records) and `manifest.json` (id, SHA-256
 * and size of each message, in the mbox's order), with which an import verifies the bytes. Has one message in memory at a
 * time. The manifest is written last. Returns the number of messages.
 */
export async function writeExport(
  folder: string,
  mails: AsyncIterable<ExportedEmail>,
  { wrote, unreadable }: ExportEvents,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, manifestName), unfinished = `${path}.part`;
  await rm(path, { force: true });
  const files: FileHandle[] = [];
  const created = async (path: string) => {
    const file = await open(path, "w");
    files.push(file);
    return file;
  };
  let count = 0;
  try {
    const mbox = await created(join(folder, mboxName));
    const records = await created(join(folder, recordsName));
    const manifest = await created(unfinished);
    for await (const { email, raw } of mails) {
      if (!raw) {
        unreadable(email.email_id);
        continue;
      }
      for (const piece of mboxEntry(raw, email.from, new Date(email.received_at))) {
        await writeAll(mbox, piece);
      }
      await writeAll(records, `${JSON.stringify(email)}\n`);
      const sha256 = createHash("sha256").update(raw).digest("hex");
      const entry: ManifestEntry = { email_id: email.email_id, sha256, size: raw.length };
      await writeAll(manifest, (count === 0 ? "[\n" : ",\n") + JSON.stringify(entry));
      count++;
      wrote();
    }
    await writeAll(manifest, count === 0 ? "[]\n" : "\n]\n");
  } finally {
    for (const file of files) await file.close();
  }
  await rename(unfinished, path);
  return count;
}

async function writeAll(file: FileHandle, content: Uint8Array | string): Promise<void> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}
