import { signal } from "@preact/signals";

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
