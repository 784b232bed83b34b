import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { update } from "../../selection.ts";
import { may, sayProblem } from "../../state.ts";
import type { FullEmail, ThreadItem } from "../../types.ts";

/**
 * Marks a received message as read when it is shown, for who has chosen this; once, so that "unread" stays. Of mail between
 * own mailboxes the received copies.
 */
export function useMarkRead(email: FullEmail | null, { delivered_to }: ThreadItem): void {
  const id = email?.email_id;
  useEffect(() => {
    if (!email || !readingMarks.value || !may("update_email")) return;
    const own = email.is_read ? [] : [email.email_id];
    const ids = delivered_to ? delivered_to.map((each) => each.email_id) : own;
    if (ids.length > 0) update(ids, { is_read: true }).catch(sayProblem);
  }, [id]);
}

const item = "reading marks";

/**
 * Whether opening a message marks it as read, for the person at this browser. Off at first: an agent that takes unread
 * mail would not get what a person has looked at.
 */
export const readingMarks = signal(read());

function read(): boolean {
  try {
    return localStorage.getItem(item) === "yes";
  } catch {
    return false;
  }
}

export function setReadingMarks(on: boolean): void {
  readingMarks.value = on;
  try {
    if (on) localStorage.setItem(item, "yes");
    else localStorage.removeItem(item);
  } catch { /* Storage is off: the choice lasts as long as the page. */ }
}
