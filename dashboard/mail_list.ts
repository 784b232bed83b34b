import { computed, signal } from "@preact/signals";
import type { ApiError, Query } from "./client.ts";
import { mergePages } from "./merge_pages.ts";
import { emails as resource } from "./resources.ts";
import { path } from "./router.ts";
import { sayProblem } from "./state.ts";
import type { Change, EmailRecord } from "./types.ts";

export interface ListFilter {
  mailbox_id?: string;
  direction?: "inbound" | "outbound";
  is_read?: boolean;
  label?: string;
}

export interface MailList {
  /** The filter as text. */
  key: string;
  emails: EmailRecord[];
  cursor: string | null;
  state: "loading" | "ready" | "error";
  error?: ApiError;
}

export const list = signal<MailList>({ key: "", emails: [], cursor: null, state: "loading" });
/** Ids of mail that was received since the page was opened, and that was not opened here. */
export const fresh = signal<ReadonlySet<string>>(new Set());
export const freshCount = computed(() => fresh.value.size);
/** Ids that an undo can still bring back: hidden, not deleted. */
export const leaving = signal<ReadonlySet<string>>(new Set());
export const shown = computed(() =>
  leaving.value.size === 0
    ? list.value.emails
    : list.value.emails.filter(({ email_id }) => !leaving.value.has(email_id))
);

/** After this time a page that could not be loaded is asked for again, if the service names none. */
const againMs = 5_000;
const waitMsOf = ({ retryAfter }: ApiError) => retryAfter === null ? againMs : retryAfter * 1_000;
const firstPage = 50, nextPage = 100;
let filter: ListFilter = {};

/** The requests for one list. Its newest page is asked for once at a time: an older answer comes after no newer one. */
interface Turn {
  loading: Promise<void> | null;
  /** Something changed after the request that is under way: its answer may be from before the change. */
  isStale: boolean;
  /** Ids of deleted mail that the list may still show. */
  gone: Set<string>;
  /** An older page is on its way, or was refused and waits. */
  growing: boolean;
}

const newTurn = (): Turn => ({ loading: null, isStale: false, gone: new Set(), growing: false });
let turn = newTurn();

/** Shows the mail that passes the filter. A list that is shown already is not loaded again. */
export async function openList(next: ListFilter): Promise<void> {
  const key = JSON.stringify(next);
  if (list.value.key === key && list.value.state !== "error") return;
  filter = next;
  list.value = { key, emails: [], cursor: null, state: "loading" };
  turn = newTurn();
  turn.isStale = true;
  try {
    await upToDate(turn);
  } catch (error) {
    if (list.value.key !== key || list.value.state === "ready") return;
    list.value = { ...list.value, state: "error", error: error as ApiError };
  }
}

/** Loads the newest page until no change is later than the request for it. Throws ApiError. */
function upToDate(now: Turn): Promise<void> {
  const load = async () => {
    try {
      while (now.isStale && now === turn) {
        now.isStale = false;
        await loadNewest(now);
      }
    } finally {
      now.loading = null;
    }
  };
  return now.loading ??= load();
}

async function loadNewest(now: Turn): Promise<void> {
  const limit = list.value.emails.length > firstPage ? nextPage : firstPage;
  const page = await resource.list({ ...filter as Query, limit });
  if (now !== turn) return;
  if (list.value.state === "ready") {
    const before = list.value.emails;
    const known = new Set(before.map(({ email_id }) => email_id));
    const came = page.data.filter((each) =>
      each.direction === "inbound" && !known.has(each.email_id) && isNewer(each, before[0])
    );
    addFresh(came.map(({ email_id }) => email_id));
  }
  const merged = mergePages(list.value, page, now.gone);
  const emails = withOpen(merged.emails, now);
  list.value = { ...list.value, ...merged, emails, state: "ready" };
}

/** In a list of unread mail the open conversation keeps its rows when it is read: j goes on from there. */
function withOpen(emails: EmailRecord[], { gone }: Turn): EmailRecord[] {
  const open = path.value[3];
  if (filter.is_read === undefined || !open) return emails;
  const known = new Set(emails.map(({ email_id }) => email_id));
  const kept = list.value.emails.filter(({ email_id, thread_id }) =>
    thread_id === open && !known.has(email_id) && !gone.has(email_id)
  );
  if (kept.length === 0) return emails;
  return [...emails, ...kept].sort((a, b) => b.received_at < a.received_at ? -1 : 1);
}

/** Another account has other mail. */
export function forgetList(): void {
  turn = newTurn();
  list.value = { key: "", emails: [], cursor: null, state: "loading" };
  fresh.value = new Set();
}

/** The next page, when the end of the list is near. A refused one is asked for again by itself. */
export async function loadMore(): Promise<void> {
  const { cursor } = list.value;
  const now = turn;
  if (!cursor || now.growing) return;
  now.growing = true;
  try {
    const page = await resource.list({ ...filter as Query, limit: nextPage, cursor });
    // The list may have begun anew meanwhile.
    if (now === turn && list.value.cursor === cursor) {
      const emails = joined(list.value.emails, page.data);
      list.value = { ...list.value, emails, cursor: page.meta.next_cursor };
    }
    now.growing = false;
  } catch (error) {
    sayProblem(error);
    setTimeout(() => {
      now.growing = false;
      if (now === turn) void loadMore();
    }, waitMsOf(error as ApiError));
  }
}

function joined(emails: EmailRecord[], more: EmailRecord[]): EmailRecord[] {
  const known = new Set(emails.map(({ email_id }) => email_id));
  return [...emails, ...more.filter(({ email_id }) => !known.has(email_id))];
}

let againTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Brings the list up to date after changes with one request, whatever their number; null: all may have changed. Throws
 * ApiError; the list is then tried again by itself.
 */
export async function refreshList(changes: Change[] | null): Promise<void> {
  noteReceived(changes ?? []);
  for (const { event, email_id } of changes ?? []) {
    if (event === "email.deleted") turn.gone.add(email_id!);
  }
  const { key, state } = list.value;
  if (key === "") return;
  if (state === "error") return await openList(filter);
  const now = turn;
  now.isStale = true;
  try {
    await upToDate(now);
  } catch (failed) {
    const error = failed as ApiError;
    if (now === turn && error.status === 404) {
      // Its mailbox is gone.
      list.value = { ...list.value, emails: [], cursor: null, state: "error", error };
      return;
    }
    clearTimeout(againTimer);
    againTimer = setTimeout(() => {
      if (now === turn) refreshList([]).catch(() => {});
    }, waitMsOf(error));
    throw error;
  }
}

/** A received email counts as new in every mailbox. */
function noteReceived(changes: Change[]): void {
  addFresh(changes.filter(({ event }) => event === "email.received").map((each) => each.email_id!));
  for (const { event, email_id } of changes) if (event === "email.deleted") seen(email_id!);
}

function addFresh(emailIds: string[]): void {
  if (emailIds.some((each) => !fresh.value.has(each))) {
    fresh.value = new Set([...fresh.value, ...emailIds]);
  }
}

const isNewer = (email: EmailRecord, than?: EmailRecord) =>
  !than || email.received_at >= than.received_at;

/** Replaces old records by changed ones. */
export function replaceEmails(changed: EmailRecord[]): void {
  const byId = new Map(changed.map((each) => [each.email_id, each]));
  list.value = {
    ...list.value,
    emails: list.value.emails.map((each) => byId.get(each.email_id) ?? each),
  };
}

/** The dot of a new email disappears when it is opened. */
export function seen(emailId: string): void {
  if (!fresh.value.has(emailId)) return;
  fresh.value = new Set([...fresh.value].filter((each) => each !== emailId));
}
