import { ownName } from "./state.ts";
import type { Draft } from "./types.ts";

/** What this person has last seen of a draft, in this browser. */
export interface Seen {
  draftId: string;
  hash: string;
  /** By the names of the fields of a draft. */
  facts: Record<string, string>;
  text: string;
  /** Length and checksum of the HTML. */
  html: string;
}

const item = "seen drafts";
/** A browser keeps about 5 MB of a site. */
const mostKept = 30;
const mostChars = 20_000;

interface Kept extends Seen {
  own: string;
}

export function seenOf(draft: Draft): Seen {
  const { draft_id, content_hash, body_text, body_html, attachments } = draft;
  const facts: Seen["facts"] = { from: draft.from, subject: draft.subject };
  for (const name of ["to", "cc", "bcc", "reply_to"] as const) facts[name] = draft[name].join(", ");
  facts.headers = Object.entries(draft.headers ?? {}).map((each) => each.join(": ")).join("; ");
  facts.attachments = attachments.map(({ filename, sha256 }) =>
    `${filename} (${sha256.slice(0, 8)})`
  )
    .join(", ");
  return {
    draftId: draft_id,
    hash: content_hash,
    facts,
    text: (body_text ?? "").slice(0, mostChars),
    html: body_html === null ? "" : `${body_html.length} ${checksum(body_html)}`,
  };
}

function checksum(text: string): number {
  let sum = 0;
  for (let n = 0; n < text.length; n++) sum = (sum * 31 + text.charCodeAt(n)) | 0;
  return sum;
}

/** What was seen before of this draft; null if nothing was. */
export function lastSeen(draftId: string): Seen | null {
  return all().find((each) => each.own === ownName(draftId)) ?? null;
}

export function remember(seen: Seen): void {
  const own = ownName(seen.draftId);
  const others = all().filter((each) => each.own !== own);
  try {
    localStorage.setItem(item, JSON.stringify([{ ...seen, own }, ...others].slice(0, mostKept)));
  } catch {
    // A browser that keeps nothing shows no differences.
  }
}

/** After a sign-out the browser has nothing of the mail. */
export function forgetSeen(): void {
  try {
    localStorage.removeItem(item);
  } catch {
    // It has none.
  }
}

function all(): Kept[] {
  try {
    const kept = JSON.parse(localStorage.getItem(item) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
