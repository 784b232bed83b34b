import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Letterbox } from "../sdk/typescript/src/index.ts";
import { patientFetch, reach } from "./patient_fetch.ts";
import type { Progress } from "./progress.ts";
import { writeExport } from "./write_export.ts";

export interface ExportOptions {
  out: string;
  url: string;
  /** An API key that may read the mail. */
  key: string;
  progress: Progress;
  /** Called with the id of each message of which the service has lost bytes; the others are exported. */
  unreadable(emailId: string): void;
  /** Called with the seconds whenever the export waits for the account's request window. */
  waiting(seconds: number): void;
}

/**
 * Writes a mailbox into the folder `out` (see `writeExport`), in the order in which its mail came into the store. Returns the
 * number of messages. Throws if the mailbox or the key is unknown.
 */
export async function exportMail(options: ExportOptions & { mailbox: string }): Promise<number> {
  const { client, boxes } = await opened(options);
  const wanted = options.mailbox.toLowerCase();
  const box = boxes.find((each) => each.email_address === wanted);
  if (!box) throw new Error(`the key sees no mailbox ${options.mailbox}`);
  return await exported(options, client, [{ id: box.mailbox_id, folder: options.out, note: "" }]);
}

/**
 * Writes every mailbox that the key sees into `out/<address>`, as `exportMail` does, empty ones too. Returns the numbers of
 * mailboxes and of messages.
 */
export async function exportAccount(
  options: ExportOptions,
): Promise<{ mailboxes: number; messages: number }> {
  const { client, boxes } = await opened(options);
  await mkdir(options.out, { recursive: true });
  const messages = await exported(
    options,
    client,
    boxes.map(({ mailbox_id, email_address }) => ({
      id: mailbox_id,
      // No character of an address has a meaning in a path.
      folder: join(options.out, email_address),
      note: email_address,
    })),
  );
  return { mailboxes: boxes.length, messages };
}

async function opened({ url, key, waiting }: ExportOptions) {
  await reach(url);
  const client = new Letterbox({
    baseUrl: url,
    apiKey: key,
    fetch: (path, init) => patientFetch(path, init, waiting),
  });
  return { client, boxes: await client.mailboxes.list() };
}

async function exported(
  { progress, unreadable }: ExportOptions,
  client: Letterbox,
  targets: readonly { id: string; folder: string; note: string }[],
): Promise<number> {
  let written = 0;
  progress.start(null);
  try {
    for (const { id, folder, note } of targets) {
      const wrote = () => progress.at(++written, note);
      await writeExport(folder, client.mailboxes.export(id), { wrote, unreadable });
    }
  } finally {
    progress.stop();
  }
  return written;
}
