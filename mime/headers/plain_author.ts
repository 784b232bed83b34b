import { standsAt } from "./field_names.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colonCode = 0x3a;
const spaceCode = 0x20;
const tabCode = 0x09;

/** A longer field is not plain. */
const maxHeaderBytes = 32 * 1024;
const maxFieldChars = 600;

const loneCr = /\r(?!\n)/;
/** `Name <local@domain>` or `local@domain`, without anything that two programs could read differently. */
const plainFrom =
  /^from:[ \t]?(?:"?[^"<>@,;:()\\\r\n]{0,200}"?[ \t]?<)?([^\s"<>@,;:()\\[\]]{1,64}@[A-Za-z0-9.-]{1,253})>?[ \t]{0,9}\r?$/i;

const latin1 = new TextDecoder("latin1");

/**
 * The author of a message without a signature (DKIM-Signature, ARC) and with one plain From field in one line, like
 * most mail; null for any other message. Linear in the header, at most 32 KiB.
 */
export function plainAuthor(raw: Uint8Array): string | null {
  const front = raw.subarray(0, maxHeaderBytes);
  let from: { start: number; end: number } | null = null;
  let at = 0;
  for (;;) {
    const lf = front.indexOf(lineFeed, at);
    if (lf < 0) return null;
    const isEmpty = lf === at || (lf === at + 1 && front[at] === carriageReturn);
    if (isEmpty && at > 0) break;
    // Most mail has a signature, and needs no more than this.
    if (standsAt("dkim-signature", front, at) || standsAt("arc-", front, at)) return null;
    if (isFromField(front, at, lf)) {
      if (from !== null) return null;
      from = { start: at, end: lf };
    }
    at = lf + 1;
  }
  if (from === null || from.end - from.start > maxFieldChars + 1) return null;
  const next = front[from.end + 1];
  if (next === spaceCode || next === tabCode || loneCr.test(latin1.decode(front.subarray(0, at)))) {
    return null;
  }
  const field = latin1.decode(front.subarray(from.start, from.end));
  return plainFrom.exec(field)?.[1] ?? null;
}

/** True if a program could take a line for a From field. */
function isFromField(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (bytes[at] === spaceCode || bytes[at] === tabCode) at++;
  if (!standsAt("from", bytes, at)) return false;
  while (at < end && bytes[at] !== colonCode) at++;
  return at < end;
}
