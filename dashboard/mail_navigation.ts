import { signal } from "@preact/signals";
import { seen, shown } from "./mail_list.ts";
import { go, path, query } from "./router.ts";
import { choose, cursor } from "./selection.ts";

/** The reply form is open. */
export const replying = signal(false);

/**
 * `walking`: the last key was j or k, not Tab or a click, so Enter opens the row even if focus has not moved yet.
 * `focusRow`: the list moves focus to the cursor's row once.
 */
export const keyboard = { walking: false, focusRow: false };

/** The address of the present list, with its filters. `below` comes after the list's own path. */
export function listAddress(below = ""): string {
  const text = query.value.toString();
  return `/app/mail/${path.value[1] ?? "all"}${below}${text ? `?${text}` : ""}`;
}

/** The address of a conversation next to the present list. */
export const threadAddress = (threadId: string) =>
  listAddress(`/t/${encodeURIComponent(threadId)}`);

/** Moves the cursor; if a conversation is open, opens the next one. */
export function move(by: number): void {
  if (shown.value.length === 0) return;
  keyboard.focusRow = true;
  keyboard.walking = true;
  choose(Math.min(shown.value.length - 1, Math.max(0, cursor.value + by)));
  if (path.value[3]) openRow();
}

/** Opens the row of the cursor. */
export function openRow(): void {
  const email = shown.value[cursor.value];
  if (!email) return;
  seen(email.email_id);
  go(threadAddress(email.thread_id), { replace: Boolean(path.value[3]) });
}

/** Back to the list. */
export function closeThread(): void {
  keyboard.focusRow = true;
  go(listAddress());
}
