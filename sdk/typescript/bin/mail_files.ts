import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import process from "node:process";
import type { Message } from "../../../archives/bring.ts";
import { byKey, byToken, outcomeOf } from "../../../archives/delivery.ts";
import { importMail as bringMail } from "../../../commands/import/import_mail.ts";
import { includedOf } from "../../../commands/import/include.ts";
import { progressBar } from "../../../commands/progress.ts";
import { writeExport } from "../../../commands/write_export.ts";
import { createTransport, json } from "../src/transport.ts";
import { type Context, mailboxOf, text } from "./options.ts";
import { plain, print, printJson } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

/**
 * Brings the mail of a file or folder to a mailbox, by the key; with `--token` by an inbound token. The service skips messages
 * that the mailbox already has. The exit status is 1 if nothing was taken or something was refused.
 */
export async function importMail(context: Context): Promise<void> {
  const { base, key, values, words } = context;
  const { to, include, token, "dry-run": isDry } = values;
  if (words.length !== 1) throw new UsageError("give a PATH");
  const included = includedOf(text(include), (reason) => {
    throw new UsageError(reason);
  });
  const mailbox = text(to);
  // A file that is not there is named before anything else.
  await stat(words[0]);
  if (token && !mailbox) throw new UsageError("give --to ADDRESS");
  if (!token && !key && !isDry) {
    throw new UsageError("there is no key: run `letterbox login`, or set LETTERBOX_API_KEY");
  }
  const id = token || isDry ? "" : await mailboxOf({ ...context, values: { ...values, mailbox } });
  const send = createTransport({
    baseUrl: base,
    apiKey: text(token) ?? (key || "none"),
    maxRetries: 20,
  });
  const post = async (message: Message) => {
    const { path, headers, body } = token ? byToken(mailbox!, message) : byKey(id, message);
    const request = { method: "POST", path, headers, body, repeatable: true };
    const answer = await send(request, json).then(
      (data) => outcomeOf(200, data),
      (error) => outcomeOf(error.status, { error }) ?? Promise.reject(error),
    );
    return answer ?? Promise.reject(new Error("the service answered without a result"));
  };
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  const { notes, summary, folders, total, isGood } = await bringMail({
    path: words[0],
    include: included,
    target: [base, id || String(mailbox)],
    post: isDry ? null : post,
    progress: progressBar("bytes", () => performance.now()),
    signal: stopping.signal,
  });
  for (const line of notes) process.stderr.write(`${line}\n`);
  if (values.json) printJson({ folders: Object.fromEntries(folders), total });
  else print([...isDry ? ["Nothing was sent; this would come:"] : [], ...summary].join("\n"));
  if (stopping.signal.aborted) throw new Error("stopped; run it again to continue");
  if (!isGood) process.exitCode = 1;
}

/** Writes a mailbox into the folder `--out`, as `deno task export` does. Names mail of which the service has lost bytes. */
export async function exportMail({ client, values }: Context, mailbox_id: string): Promise<void> {
  const { out } = values;
  if (typeof out !== "string") throw new UsageError("give --out DIR");
  const messages = await writeExport(out, client.mailboxes.export(mailbox_id), {
    wrote() {},
    unreadable(emailId) {
      process.stderr.write(`not readable: ${emailId}\n`);
      process.exitCode = 1;
    },
  });
  if (values.json) printJson({ messages });
  else print(`${messages} messages in ${out}`);
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
