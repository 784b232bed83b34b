import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Context } from "./commands.ts";
import { print, printJson } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

/**
 * Delivers mail to the inbound route, one message a request. The service skips messages that the mailbox already has.
 */
export async function importMail({ base, values, words }: Context): Promise<void> {
  const [to] = values.to as string[] ?? [];
  const token = values.token ?? process.env.LETTERBOX_INBOUND_TOKEN;
  if (words.length !== 1 || !to) throw new UsageError("give a PATH and --to ADDRESS");
  if (!token) throw new UsageError("give --token, or set LETTERBOX_INBOUND_TOKEN");
  const counts: Record<string, number> = {};
  for await (const message of messagesOf(words[0])) {
    const response = await fetch(`${base}/inbound/raw`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "message/rfc822",
        "x-envelope-to": to,
        "x-envelope-from": "",
      },
      body: new Uint8Array(message),
    });
    const { data, error } = await response.json();
    if (!response.ok && !error?.details?.results) {
      throw new Error(`${error?.code ?? response.status}: ${error?.message ?? "refused"}`);
    }
    const [{ disposition }] = data?.results ?? error.details.results;
    counts[disposition] = (counts[disposition] ?? 0) + 1;
  }
  if (values.json) printJson(counts);
  else print(Object.entries(counts).map(([name, n]) => `${n} ${name}`).join(", ") || "no mail");
}

async function* messagesOf(path: string): AsyncGenerator<Uint8Array> {
  if ((await stat(path)).isDirectory()) {
    for (const name of (await readdir(path)).sort()) {
      if (name.endsWith(".eml")) yield await readFile(join(path, name));
    }
    return;
  }
  const bytes = await readFile(path);
  if (bytes.subarray(0, 5).toString("latin1") !== "From ") return yield bytes;
  // Latin-1 keeps every byte. A line of the message that begins with From is quoted in an mbox.
  for (const each of bytes.toString("latin1").split(/^From .*\r?\n/m).slice(1)) {
    yield Buffer.from(each.replace(/^>(>*From )/gm, "$1").replace(/\r?\n$/, ""), "latin1");
  }
}

/** Writes each mail as `<email_id>.eml` and its record into emails.jsonl. */
export async function exportMail({ client, values }: Context, mailbox_id: string): Promise<void> {
  if (typeof values.out !== "string") throw new UsageError("give --out DIR");
  const { out } = values;
  await mkdir(out, { recursive: true });
  const records: string[] = [];
  for await (const email of client.emails.list({ mailbox_id, limit: 100, order: "asc" })) {
    const raw = new Response(await client.emails.raw(email.email_id));
    await writeFile(join(out, `${email.email_id}.eml`), new Uint8Array(await raw.arrayBuffer()));
    records.push(`${JSON.stringify(email)}\n`);
  }
  await writeFile(join(out, "emails.jsonl"), records.join(""));
  if (values.json) printJson({ messages: records.length });
  else print(`${records.length} messages in ${out}`);
}
