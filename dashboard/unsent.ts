import { ApiError } from "./client.ts";
import { ownName, reloadAccount } from "./state.ts";
import { words } from "./words.ts";
import type { AttachedFile } from "./parts/files.tsx";

/** What somebody has written and not sent. */
export interface Unsent {
  /** By the names of the form's controls. */
  fields: Record<string, string>;
  files: AttachedFile[];
  /** The same key in every try: if a mail was sent but the answer got lost, it is not sent twice. */
  key: string;
}

/** Until the page is left: Escape, a click beside the dialog, "back" and the end of a session lose nothing. */
const kept = new Map<string, Unsent>();

// The browser asks before such a page closes. This module is loaded with the first form.
addEventListener("beforeunload", (event) => {
  if ([...kept.values()].some(isWritten)) event.preventDefault();
});

/** The mail that is being written under `name`; the form changes it. */
export function unsentOf(name: string): Unsent {
  const found = kept.get(ownName(name)) ?? { fields: {}, files: [], key: newKey() };
  kept.set(ownName(name), found);
  return found;
}

/** Not `randomUUID`: a browser has it over HTTPS and on localhost only. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].join("-");
}

/**
 * Sends with the key of `unsent`. If the text was changed after a try that was sent and whose answer got lost, it throws
 * and says so: sent once more, it is a second mail.
 */
export async function sendOnce<T>(unsent: Unsent, send: (key: string) => Promise<T>): Promise<T> {
  try {
    return await send(unsent.key);
  } catch (error) {
    // The reminder, with the link to send again, is then on the page and in the form.
    if (error instanceof ApiError && error.code === "EMAIL_NOT_VERIFIED") {
      await reloadAccount().catch(() => {});
    }
    if (!(error instanceof ApiError && error.code === "CONFLICT")) throw error;
    unsent.key = newKey();
    throw new Error(words.compose.sentBefore);
  }
}

const isWritten = ({ files, fields }: Unsent) => files.length > 0 || !!fields.text?.trim();

/** Whether something was written under `name` and not sent. */
export function isUnsent(name: string): boolean {
  const found = kept.get(ownName(name));
  return found !== undefined && isWritten(found);
}

/** It was sent, or is not wanted. */
export function forgetUnsent(name: string): void {
  kept.delete(ownName(name));
}

/** Of the form that writes `unsent`: it keeps what is typed, and Ctrl or Command with Enter sends it. */
export function formProps(unsent: Unsent) {
  return {
    onKeyDown(event: KeyboardEvent & { currentTarget: HTMLFormElement }) {
      const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (isSend) event.currentTarget.requestSubmit();
    },
    onInput({ currentTarget }: { currentTarget: HTMLFormElement }) {
      for (const [name, value] of new FormData(currentTarget)) unsent.fields[name] = String(value);
    },
  };
}
