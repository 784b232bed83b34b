import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readMbox } from "./mbox.ts";

/** A message to import; `name` tells people its source. */
export interface SourceMessage {
  raw: Uint8Array;
  name: string;
  /** How far into the whole source this message ends, in bytes. */
  position: number;
}

export interface MailSource {
  kind: "export" | "mbox" | "Maildir" | "folder" | "message";
  totalBytes: number;
  messages(): AsyncGenerator<SourceMessage>;
}

/** The manifest of `deno task export`: id, SHA-256 and size of each message, in the mbox's order. */
export const manifestSchema = z.array(z.object({
  email_id: z.string(),
  sha256: z.string(),
  size: z.number().int(),
}));
export const mboxName = "mail.mbox";
export const manifestName = "manifest.json";
/** Apple Mail exports a mailbox as a folder `NAME.mbox` with this file. */
const appleName = "mbox";

/**
 * Opens a path: the folder of an export, an mbox, a Maildir, a folder of `.eml` (subfolders too), or one message. Files of a
 * folder are sorted by name, numbers by value. Throws if there is nothing to read.
 */
export async function openMailSource(path: string): Promise<MailSource> {
  const { isDirectory } = await Deno.stat(path);
  if (!isDirectory) {
    return await startsLikeMbox(path) ? await mbox(path) : await files("message", [path]);
  }
  const names = new Set((await Array.fromAsync(Deno.readDir(path))).map((entry) => entry.name));
  if (names.has(manifestName) && names.has(mboxName)) return await exported(path);
  if (names.has(appleName)) return await mbox(join(path, appleName));
  if (names.has("cur") && names.has("new")) {
    const found = [...await walk(join(path, "cur")), ...await walk(join(path, "new"))];
    return await files("Maildir", found);
  }
  const found = (await walk(path)).filter((name) => name.toLowerCase().endsWith(".eml"));
  if (found.length === 0) {
    throw new Error(`${path} is not an mbox or a Maildir, and has no .eml file`);
  }
  return await files("folder", found);
}

async function startsLikeMbox(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const start = new Uint8Array(5);
  const read = await file.read(start);
  return read === 5 && new TextDecoder().decode(start) === "From ";
}

async function mbox(path: string): Promise<MailSource> {
  const { size } = await Deno.stat(path);
  return {
    kind: "mbox",
    totalBytes: size,
    async *messages() {
      let count = 0, position = 0;
      for await (const raw of readMbox((await Deno.open(path)).readable)) {
        position = Math.min(size, position + raw.length);
        yield { raw, name: `message ${++count} of ${path}`, position };
      }
    },
  };
}

/**
 * An mbox does not show whether a message ended with a line feed; the manifest's size does, and its SHA-256 verifies the
 * bytes.
 */
async function exported(path: string): Promise<MailSource> {
  const manifest = manifestSchema.parse(
    JSON.parse(await Deno.readTextFile(join(path, manifestName))),
  );
  const inner = await mbox(join(path, mboxName));
  return {
    ...inner,
    kind: "export",
    async *messages() {
      let count = 0;
      for await (const message of inner.messages()) {
        const expected = manifest[count++];
        const raw = message.raw.subarray(0, expected?.size);
        const sha256 = createHash("sha256").update(raw).digest("hex");
        if (sha256 !== expected?.sha256) {
          throw new Error(`${message.name} does not match ${manifestName}: was it changed?`);
        }
        yield { ...message, raw };
      }
      if (count !== manifest.length) {
        throw new Error(
          `${mboxName} has ${count} messages, but ${manifestName} lists ${manifest.length}`,
        );
      }
    },
  };
}

async function files(kind: MailSource["kind"], paths: string[]): Promise<MailSource> {
  const sizes = await Promise.all(paths.map(async (path) => (await Deno.stat(path)).size));
  return {
    kind,
    totalBytes: sizes.reduce((sum, size) => sum + size, 0),
    async *messages() {
      let position = 0;
      for (const [i, path] of paths.entries()) {
        position += sizes[i];
        yield { raw: await Deno.readFile(path), name: path, position };
      }
    },
  };
}

const byName = new Intl.Collator("en", { numeric: true });

async function walk(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) found.push(...await walk(path));
    else if (entry.isFile && !entry.name.startsWith(".")) found.push(path);
  }
  return found.sort(byName.compare);
}
