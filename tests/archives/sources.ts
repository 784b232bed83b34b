import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { type Item, readMail } from "../../archives/read_mail.ts";
import type { Source } from "../../archives/source.ts";
import type { Unwanted } from "../../archives/state/mail_state.ts";

type Content = string | Uint8Array;

const bytesOf = (content: Content) =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

/** Files in memory as a source, in small pieces: a folder, or one file. */
export function sourceOf(files: Record<string, Content>, name = "box", isFolder = true): Source {
  return {
    name,
    isFolder,
    async *files() {
      for (const [path, content] of Object.entries(files)) {
        const bytes = await bytesOf(content);
        yield {
          path,
          size: bytes.length,
          modifiedAt: 1_000,
          async *pieces(start = 0, end = bytes.length) {
            for (let at = start; at < end; at += 1_000) {
              yield await bytes.slice(at, Math.min(end, at + 1_000));
            }
          },
        };
      }
    },
  };
}

export const fileOf = (name: string, content: Content) =>
  sourceOf({ [name]: content }, name, false);

export async function itemsOf(source: Source, include: Unwanted[] = []): Promise<Item[]> {
  return await Array.fromAsync(readMail(source, { include: new Set(include) }));
}

/** What is told of a source in short: folder, kind or reason, and the first line of a message. */
export async function shortOf(source: Source, include: Unwanted[] = []): Promise<string[]> {
  return (await itemsOf(source, include)).map((item) =>
    `${item.folder} | ` +
    (item.kind === "message"
      ? new TextDecoder().decode(item.raw).split(/\r?\n/, 1)[0]
      : `${item.kind}: ${item.reason}`)
  );
}

/** A message with so much in its first line. */
export const mail = (subject: string, more = "") => `Subject: ${subject}\n${more}\nHi\n`;

export const fromLine = "From a@x.net Fri Nov 20 10:00:00 2026\n";

export function zipOf(files: Record<string, Content>, level: 0 | 6 = 6): Uint8Array {
  const entries = Object.entries(files).map(([path, content]) => [path, bytesOf(content)]);
  return zipSync(Object.fromEntries(entries), { level });
}

export interface TarEntry {
  path: string;
  content?: Content;
  /** `0` a file, `5` a folder, `2` a link, `x` fields of the next, `L` its long name. */
  kind?: string;
}

/** A tar as POSIX.1-1988 describes it. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const { path, content = "", kind = "0" } of entries) {
    const bytes = bytesOf(content);
    const header = new Uint8Array(512);
    const put = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
    put(path, 0);
    put("0000644\0", 100);
    put(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    put(`${(1_500_000_000).toString(8)}\0`, 136);
    put("        ", 148);
    put(kind, 156);
    put("ustar\0" + "00", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const padded = new Uint8Array(Math.ceil(bytes.length / 512) * 512);
    padded.set(bytes);
    blocks.push(header, padded);
  }
  return new Uint8Array(Buffer.concat([...blocks, new Uint8Array(1_024)]));
}

export const gzipOf = (content: Content) => new Uint8Array(gzipSync(bytesOf(content)));
