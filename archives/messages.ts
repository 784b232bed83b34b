import { type ByteReader, joined, linesOf } from "./byte_reader.ts";
import type { Kind } from "./kinds.ts";
import { type MboxMessage, mboxMessages, mmdfMessages } from "./mbox.ts";
import { exportedMail, isCursorLine, matches, mboxName, type Records } from "./own_export.ts";
import { SourceError } from "./source.ts";
import { folderState, maildirState, type Place } from "./state/folders.ts";
import type { MailState, Unwanted } from "./state/mail_state.ts";
import { mboxState } from "./state/mbox_state.ts";

export interface ReadOptions {
  /** What is not left out. */
  include: ReadonlySet<Unwanted>;
  /** No larger message is read, in bytes: no plan of the service takes more than 240 MiB. */
  mostBytes?: number;
}

/** A message, or what is not one. */
export type Found =
  & {
    /** For people: the folder that counts it. */
    folder: string;
    /** For people: its file, or its number and file. */
    name: string;
  }
  & (
    | { kind: "message"; raw: Uint8Array<ArrayBuffer>; state: MailState }
    | { kind: "left out"; reason: Unwanted | "no mail" }
    | { kind: "refused"; reason: string }
  );

/** A file that has messages. */
export interface MailFile {
  path: string;
  /** With what stands before the path. */
  name: string;
  /** The folder that counts its messages. */
  shown: string;
  place: Place;
  modifiedAt: number | null;
  /** What our export says of them. */
  records: Records | null;
}

const largestMessage = 240 * 2 ** 20;

/** The messages of one file. */
export async function* messagesOf(
  reader: ByteReader,
  kind: Kind,
  file: MailFile,
  { include, mostBytes = largestMessage }: ReadOptions,
): AsyncGenerator<Found> {
  const found = (name: string, raw: Uint8Array<ArrayBuffer> | null, state: MailState): Found => {
    const base = { folder: file.shown, name };
    const reason = state.unwanted.find((each) => !include.has(each));
    if (reason) return { ...base, kind: "left out", reason };
    if (!raw) {
      const mebibytes = Math.round(mostBytes / 2 ** 20);
      return { ...base, kind: "refused", reason: `is larger than ${mebibytes} MiB` };
    }
    return { ...base, kind: "message", raw, state };
  };
  if (kind === "message") return yield found(file.name, ...await message(reader, file, mostBytes));
  if (kind === "lines") return yield* exportLines(reader, file, mostBytes, found);
  const read = kind === "mmdf" ? mmdfMessages : mboxMessages;
  let count = 0;
  const ours = file.path.endsWith(mboxName) ? file.records : null;
  for await (const each of read(reader.pieces(), mostBytes)) {
    const name = `message ${++count} of ${file.name}`;
    const state = ours?.states[count - 1] ?? mboxState(each, file.place.folder);
    yield found(name, ours ? await checked(each, ours, count) : each.raw, state);
  }
  const expected = ours?.manifest?.length ?? count;
  if (count !== expected) {
    throw new SourceError(`has ${count} messages, but its manifest.json lists ${expected}`);
  }
}

async function message(
  reader: ByteReader,
  { path, records, place, modifiedAt }: MailFile,
  mostBytes: number,
): Promise<[Uint8Array<ArrayBuffer> | null, MailState]> {
  const id = /([0-9a-f-]{36})\.eml$/.exec(path)?.[1] ?? "";
  const state = records?.byId.get(id) ??
    (place.maildir ? maildirState(path, modifiedAt, place) : folderState(place.folder));
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of reader.pieces()) {
    if ((size += piece.length) > mostBytes) return [null, state];
    pieces.push(piece);
  }
  return [joined(pieces), state];
}

/** An mbox does not show whether a message ended with a line feed; the manifest's size does. Throws SourceError. */
async function checked(
  { raw }: MboxMessage,
  { manifest }: Records,
  count: number,
): Promise<MboxMessage["raw"]> {
  const entry = manifest?.[count - 1];
  if (!raw || !manifest) return raw;
  const bytes = raw.subarray(0, entry?.size), rest = raw.subarray(bytes.length);
  const isRest = rest.length === 0 || rest.length === 1 && rest[0] === 0x0a;
  if (entry && isRest && await matches(bytes, entry.sha256)) return bytes;
  throw new SourceError(
    `has a message ${count} that does not match manifest.json: was it changed?`,
  );
}

/** The lines of the export route: a record with its message each, and the cursor at the end of each page. */
async function* exportLines(
  reader: ByteReader,
  file: MailFile,
  mostBytes: number,
  found: (name: string, raw: Uint8Array<ArrayBuffer> | null, state: MailState) => Found,
): AsyncGenerator<Found> {
  let count = 0, isWhole = false;
  // A line is longer than its message: base64 adds a third, and the record has the texts too.
  for await (const line of linesOf(reader.pieces(), 3 * mostBytes)) {
    const mail = exportedMail(line);
    isWhole = mail === null && (isCursorLine(line) || isWhole && line.trim() === "");
    if (!mail) continue;
    const name = `message ${++count} of ${file.name}`;
    if (mail.raw) yield found(name, mail.raw, mail.state);
    else yield { kind: "refused", folder: file.shown, name, reason: "had no bytes any more" };
  }
  if (!isWhole) throw new SourceError("breaks off: its last line has no next_cursor");
}
