import { computed, signal } from "@preact/signals";
import { leaving, list, refreshList, replaceEmails, seen, shown } from "./mail_list.ts";
import { emails as resource } from "./resources.ts";
import { path } from "./router.ts";
import { hush, reloadMailboxes, say, sayProblem } from "./state.ts";
import type { EmailRecord, UpdateInput } from "./types.ts";
import { words } from "./words.ts";

/** The email that j, k or a click chose, and its place then; null: none of this list. */
export const chosen = signal<{ emailId: string; at: number } | null>(null);
/**
 * The place in the list of the row that j and k move: it stays at its email while others come and go. Before one is
 * chosen it is that of the open conversation, else the first.
 */
export const cursor = computed(() => {
  const rows = shown.value, { emailId, at } = chosen.value ?? { emailId: null, at: 0 };
  const now = emailId === null
    ? rows.findIndex((each) => each.thread_id === openThread())
    : rows.findIndex((each) => each.email_id === emailId);
  return now >= 0 ? now : Math.max(0, Math.min(at, rows.length - 1));
});
const openThread = () => path.value[0] === "mail" ? path.value[3] : undefined;

export function choose(at: number): void {
  const email = shown.value[at];
  chosen.value = email ? { emailId: email.email_id, at } : null;
}

/** Ids of the selected rows. */
export const selected = signal<ReadonlySet<string>>(new Set());
export const selectedEmails = computed(() =>
  shown.value.filter(({ email_id }) => selected.value.has(email_id))
);
/** The email where the last range began. */
let anchor = "";

/** Selects or deselects the row at a place. `range`: every row from the last one on. */
export function toggle(at: number, range = false): void {
  const rows = shown.value;
  const email = rows[at];
  if (!email) return;
  const next = new Set(selected.value);
  if (range) {
    const began = Math.max(0, rows.findIndex((each) => each.email_id === anchor));
    const [from, to] = [Math.min(began, at), Math.max(began, at)];
    for (const each of rows.slice(from, to + 1)) next.add(each.email_id);
  } else if (!next.delete(email.email_id)) next.add(email.email_id);
  anchor = email.email_id;
  selected.value = next;
}

export function selectNone(): void {
  if (selected.value.size > 0) selected.value = new Set();
}

/** The emails of an action: the selected rows, else the row of the cursor. If a conversation is open, it is one of that. */
export function targets(): string[] {
  return targetsOf(shown.value).map((each) => each.email_id);
}

/** The same of received mail: what one has sent has no read state. */
export function receivedTargets(): string[] {
  return targetsOf(shown.value.filter(isReceived)).map((each) => each.email_id);
}

export const isReceived = ({ direction }: EmailRecord) => direction === "inbound";

function targetsOf(rows: EmailRecord[]): EmailRecord[] {
  if (selectedEmails.value.length > 0) {
    return selectedEmails.value.filter((each) => rows.includes(each));
  }
  const open = openThread(), at = shown.value[cursor.value];
  if (open === undefined) return rows.filter((each) => each === at);
  const ofThread = rows.filter((each) => each.thread_id === open);
  return ofThread.includes(at) ? [at] : ofThread.slice(0, 1);
}

/** The most that one batch takes. */
const batchSize = 100;

/** Sets read state or labels. The list shows the service's answer. Throws ApiError. */
export async function update(emailIds: string[], changes: UpdateInput): Promise<void> {
  if (emailIds.length === 1) replaceEmails([await resource.update(emailIds[0], changes)]);
  else {
    for (let at = 0; at < emailIds.length; at += batchSize) {
      const results = await resource.updateAll(emailIds.slice(at, at + batchSize), changes);
      const failed = results.filter(({ ok }) => !ok).length;
      if (failed > 0) say(words.mail.notChanged(failed), { bad: true });
    }
    await refreshList(null);
  }
  if (changes.is_read) { for (const each of emailIds) seen(each); }
}

const undoMs = 5_000;

interface Leaving {
  emailIds: string[];
  timer: ReturnType<typeof setTimeout>;
}

let pending: Leaving | null = null;

/** Hides emails at once and deletes them after 5 s; until then Undo brings them back. */
export function deleteWithUndo(emailIds: string[]): void {
  if (emailIds.length === 0) return;
  void flushDeletion();
  leaving.value = new Set([...leaving.value, ...emailIds]);
  selected.value = new Set();
  choose(cursor.value);
  pending = { emailIds, timer: setTimeout(() => void flushDeletion(), undoMs) };
  say(words.mail.deleted(emailIds.length), {
    ms: undoMs,
    action: { label: words.mail.undo, run: undo },
  });
}

function undo(): void {
  if (!pending) return;
  clearTimeout(pending.timer);
  show(pending.emailIds);
  pending = null;
  hush();
}

function show(emailIds: string[]): void {
  const back = new Set(emailIds);
  leaving.value = new Set([...leaving.value].filter((each) => !back.has(each)));
}

/** Sends a deletion that waits for its undo; also as the page closes. */
export async function flushDeletion(): Promise<void> {
  if (!pending) return;
  const { emailIds, timer } = pending;
  clearTimeout(timer);
  pending = null;
  await finish(emailIds);
}

async function finish(emailIds: string[]): Promise<void> {
  try {
    const failed: string[] = [];
    for (let at = 0; at < emailIds.length; at += batchSize) {
      const results = await resource.deleteAll(emailIds.slice(at, at + batchSize));
      failed.push(...results.filter(({ ok }) => !ok).map(({ email_id }) => email_id));
    }
    const gone = new Set(emailIds.filter((each) => !failed.includes(each)));
    list.value = {
      ...list.value,
      emails: list.value.emails.filter(({ email_id }) => !gone.has(email_id)),
    };
    if (failed.length > 0) say(words.mail.notChanged(failed.length), { bad: true });
    void reloadMailboxes().catch(() => {});
  } catch (error) {
    sayProblem(error);
  }
  show(emailIds);
}
