import { computed, signal } from "@preact/signals";
import { ApiError, quotaOf } from "./client.ts";
import { quotaText } from "./format.ts";
import { billing, drafts, mailboxes as mailboxResource, session, watch } from "./resources.ts";
import { go } from "./router.ts";
import type { Account, Attention, Mailbox, Usage } from "./types.ts";
import { words } from "./words.ts";

/** Whether an app can be connected by a URL alone here. */
export const connects = document.documentElement.dataset.connects === "on";
/** Whether people log in with passwords here. */
export const passwords = document.documentElement.dataset.passwords !== "off";
/** The name of the provider that people sign in with; "" if there is none. */
export const provider = document.documentElement.dataset.provider ?? "";
export const account = signal<Account | null>(null);
/** A name for what is kept of this person: another one may sign in on the same page. */
export const ownName = (name: string) => `${account.value?.memberId} ${name}`;
/** Whether the person's role allows an operation, by its name. */
export const may = (operation: string) => account.value?.may.includes(operation) ?? false;
/** undefined: not known yet; false: nobody is signed in. */
export const signedIn = signal<boolean | undefined>(undefined);
export const mailboxes = signal<Mailbox[]>([]);
/** Whether `mailboxes` has been read: until then it is empty. */
export const mailboxesKnown = signal(false);
export const usage = signal<Usage | null>(null);
/** What needs attention, from the last 24 hours. */
export const attention = signal<Attention | null>(null);
/** Drafts that wait for a person: their ids, and whether there are more. */
export const waitingDrafts = signal<{ ids: string[]; more: boolean }>({ ids: [], more: false });
/** Why it is not known whether somebody is signed in. */
export const beginFailure = signal<Error | null>(null);
export const overlay = signal<null | "keys" | "compose" | "menu">(null);

export interface Toast {
  text: string;
  bad?: boolean;
  /** A button next to the text. */
  action?: { label: string; run: () => void };
}

export const toast = signal<Toast | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the bottom. A failure stays longer; a message with an action stays for `ms`. */
export function say(text: string, options: Omit<Toast, "text"> & { ms?: number } = {}): void {
  const { ms = options.bad ? 6_000 : 2_500, ...rest } = options;
  toast.value = { text, ...rest };
  clearTimeout(timer);
  timer = setTimeout(hush, ms);
}

export function hush(): void {
  toast.value = null;
}

/** For the second argument of `then`: the service's own message. */
export function sayProblem(error: unknown): void {
  say(messageOf(error as Error), { bad: true });
}

/** A failure in one line: the service's message, what is used of a quota, and when to try again. */
export function messageOf(error: Error): string {
  const quota = quotaOf(error);
  const wait = error instanceof ApiError ? error.retryAfter : null;
  return [
    error.message,
    ...quota ? [`${quotaText(quota.used, quota.limit)}.`] : [],
    ...wait === null ? [] : [words.problem.tryIn(wait)],
  ].join(" ");
}

export function mailboxOf(mailboxId: string): Mailbox | undefined {
  return mailboxes.value.find((each) => each.mailbox_id === mailboxId);
}

/** Local parts that mailboxes of several domains have. */
const shared = computed(() => {
  const seen = new Set<string>(), twice = new Set<string>();
  for (const { email_address } of mailboxes.value) {
    const local = email_address.split("@")[0];
    (seen.has(local) ? twice : seen).add(local);
  }
  return twice;
});

/** The part before the @; the whole address if another mailbox has the same. */
export function shortName(mailboxId: string): string {
  const address = mailboxOf(mailboxId)?.email_address ?? "";
  const local = address.split("@")[0];
  return shared.value.has(local) ? address : local;
}

/**
 * Loads the account, then the data of the shell. If nobody is signed in it makes one request. Throws ApiError if the
 * account cannot be read; other failures are shown.
 */
export async function loadShell(): Promise<void> {
  const before = account.value;
  account.value = await session.account();
  // The address can be of a mailbox that another account does not have.
  if (before && before.userId !== account.value.userId) go("/app/mail/all", { replace: true });
  signedIn.value = true;
  const looked = reloadAttention().catch(() => {});
  const parts = await Promise.allSettled([reloadMailboxes(), reloadUsage(), looked]);
  const failed = parts.find((each) => each.status === "rejected");
  if (failed) sayProblem(failed.reason);
}

/** After a change of the person's own name or role. */
export async function reloadAccount(): Promise<void> {
  account.value = await session.account();
}

/** Another account has other mailboxes. */
export function forgetShell(): void {
  mailboxes.value = [];
  mailboxesKnown.value = false;
  usage.value = null;
  attention.value = null;
  waitingDrafts.value = { ids: [], more: false };
}

export async function reloadMailboxes(): Promise<void> {
  mailboxes.value = await mailboxResource.list();
  mailboxesKnown.value = true;
}

export async function reloadUsage(): Promise<void> {
  usage.value = await billing.usage();
}

export async function reloadAttention(): Promise<void> {
  const [looked, waiting] = await Promise.all([
    watch.attention(),
    drafts.list({ status: "pending_approval", limit: 100 }),
  ]);
  attention.value = looked;
  const ids = waiting.data.map(({ draft_id }) => draft_id);
  waitingDrafts.value = { ids, more: waiting.meta.has_more };
}

/** Without storage the guide stays as long as the page. */
const guides = signal<Record<string, string>>({});
const guideItem = () => ownName("guide");

/** Whether the guide of this person has begun, and is neither finished nor closed. */
export function guideStays(): boolean {
  return readGuide() === "begun";
}

export function beginGuide(): void {
  if (readGuide() === null) writeGuide("begun");
}

export function endGuide(): void {
  writeGuide("ended");
}

function readGuide(): string | null {
  const known = guides.value[guideItem()];
  if (known) return known;
  try {
    return localStorage.getItem(guideItem());
  } catch {
    return null;
  }
}

function writeGuide(state: string): void {
  guides.value = { ...guides.value, [guideItem()]: state };
  try {
    localStorage.setItem(guideItem(), state);
  } catch { /* See above. */ }
}
