import { linesOf } from "./byte_reader.ts";
import type { Entry } from "./source.ts";
import { labelsOf } from "./state/labels.ts";
import type { MailState } from "./state/mail_state.ts";

/** The files of our export. */
export const mboxName = "mail.mbox", recordsName = "emails.jsonl", manifestName = "manifest.json";

/** Whether a file of an export has no mail, but what is said of it. */
export function isRecords(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === recordsName || name === manifestName;
}

/** A message of the mbox in the manifest, which has one a line. */
export interface ManifestEntry {
  email_id: string;
  sha256: string;
  /** In bytes. */
  size: number;
}

/** What an export knows of its messages, in their order. */
export interface Records {
  states: MailState[];
  byId: Map<string, MailState>;
  /** Of each message of the mbox; null if there is no manifest. */
  manifest: Pick<ManifestEntry, "size" | "sha256">[] | null;
}

/** Of a record, in bytes. */
const longestLine = 64 * 2 ** 20;

/** What the files of an export in `folder` ("" or with `/` at its end) say; null if it is none. */
export async function readRecords(
  entries: AsyncIterable<Entry>,
  folder: string,
): Promise<Records | null> {
  const records: Records = { states: [], byId: new Map(), manifest: null };
  let found = false;
  for await (const { path, pieces, isSpecial, problem } of entries) {
    if (isSpecial || problem) continue;
    if (path === folder + recordsName) {
      found = true;
      for await (const line of linesOf(pieces(), longestLine)) {
        const record = parsed(line);
        if (!record) continue;
        const state = recordState(record);
        records.states.push(state);
        if (typeof record.email_id === "string") records.byId.set(record.email_id, state);
      }
    } else if (path === folder + manifestName) {
      records.manifest = [];
      for await (const line of linesOf(pieces(), longestLine)) {
        const { size, sha256 } = parsed(line.replace(/,\s*$/, "")) ?? {};
        if (typeof size === "number" && typeof sha256 === "string") {
          records.manifest.push({ size, sha256 });
        }
      }
    }
  }
  return found ? records : null;
}

/** The state of an email record of the API. */
export function recordState(record: Record<string, unknown>): MailState {
  const { received_at, is_read, direction, labels } = record;
  const receivedAt = Date.parse(String(received_at));
  return {
    receivedAt: Number.isNaN(receivedAt) ? null : receivedAt,
    isRead: typeof is_read === "boolean" ? is_read : null,
    direction: direction === "outbound" || direction === "inbound" ? direction : null,
    labels: Array.isArray(labels)
      ? labelsOf(labels.map(String).filter((label) => label !== "imported"))
      : [],
    unwanted: [],
  };
}

/**
 * A line of the export route: a record and its message, null if the service had lost it. null for the last line, which has the
 * cursor.
 */
export function exportedMail(
  line: string,
): { raw: Uint8Array<ArrayBuffer> | null; state: MailState } | null {
  const { email, raw_base64 } = parsed(line) ?? {};
  if (typeof email !== "object" || email === null) return null;
  const raw = typeof raw_base64 === "string"
    ? Uint8Array.from(atob(raw_base64), (character) => character.charCodeAt(0))
    : null;
  return { raw, state: recordState(email as Record<string, unknown>) };
}

/** Whether a line is the last of a page of the export route. */
export function isCursorLine(line: string): boolean {
  return parsed(line)?.next_cursor !== undefined;
}

/** The JSON object in a line; null if there is none. */
function parsed(line: string): Record<string, unknown> | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Whether these are the bytes of a manifest's entry; true where the browser has no SHA-256 (a page without TLS). */
export async function matches(raw: Uint8Array<ArrayBuffer>, sha256: string): Promise<boolean> {
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
