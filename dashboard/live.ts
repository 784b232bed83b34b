import { signal } from "@preact/signals";
import { session } from "./resources.ts";
import type { Change } from "./types.ts";

export type LiveState = "connecting" | "live" | "away";
export const liveState = signal<LiveState>("connecting");

/** The changes; null: not known, load everything again. */
export type Listener = (changes: Change[] | null) => void;

const listeners = new Set<Listener>();

/** Calls `listener` after each burst of changes. Returns the function that ends this. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** An `EventSource` has no listener for all names. The type asks for every one, because no code of the service is here. */
const names: Record<Change["event"], true> = {
  "email.received": true,
  "email.imported": true,
  "email.processed": true,
  "email.sent": true,
  "email.failed": true,
  "email.updated": true,
  "email.deleted": true,
  "mailbox.created": true,
  "mailbox.renamed": true,
  "mailbox.deleted": true,
  "draft.created": true,
  "draft.updated": true,
  "draft.pending_approval": true,
  "draft.approved": true,
  "draft.rejected": true,
  "draft.sent": true,
  "draft.canceled": true,
};
/** A burst is one request: the page waits until no change has come for this time, but no longer than `longestMs`. */
const quietMs = 150;
const longestMs = 1_000;
/** On Deno Deploy an open stream keeps an instance awake. */
const hiddenMs = 5 * 60_000;
const retryMs = { first: 2_000, longest: 30_000 };

type Timer = ReturnType<typeof setTimeout> | undefined;

let source: EventSource | null = null;
let wanted = false;
let retry = retryMs.first;
let retryTimer: Timer;
let hiddenTimer: Timer;
let burst: Change[] = [];
let burstTimer: Timer;
let burstBegan = 0;

export function startLive(): void {
  wanted = true;
  connect();
}

export function stopLive(): void {
  wanted = false;
  close();
}

function close(): void {
  clearTimeout(retryTimer);
  source?.close();
  source = null;
}

function connect(): void {
  close();
  const stream = new EventSource("/api/events");
  source = stream;
  stream.addEventListener("open", () => {
    const wasAway = liveState.value === "away";
    liveState.value = "live";
    retry = retryMs.first;
    // The browser resumes after the last event that it has seen; before the first one there is nothing to resume.
    if (wasAway) tell(null);
  });
  stream.addEventListener("error", () => {
    liveState.value = "away";
    // If the answer is no stream (a limit, an expired cursor), the browser does not try again by itself.
    if (stream.readyState !== EventSource.CLOSED || !wanted) return;
    retryLater();
    // The browser does not say why. If the session has ended, this request leads to the sign-in.
    session.account().catch(() => {});
  });
  for (const name of Object.keys(names)) {
    stream.addEventListener(name, (event) => collect(JSON.parse((event as MessageEvent).data)));
  }
}

function retryLater(): void {
  close();
  retryTimer = setTimeout(connect, retry);
  retry = Math.min(retry * 2, retryMs.longest);
}

function collect(change: Change): void {
  if (burst.length === 0) burstBegan = Date.now();
  burst.push(change);
  clearTimeout(burstTimer);
  const left = Math.max(0, burstBegan + longestMs - Date.now());
  burstTimer = setTimeout(() => {
    const changes = burst;
    burst = [];
    tell(changes);
  }, Math.min(quietMs, left));
}

function tell(changes: Change[] | null): void {
  for (const listener of [...listeners]) listener(changes);
}

// A stream over a network that is gone can stay open for minutes.
addEventListener("offline", () => {
  if (wanted) liveState.value = "away";
});
addEventListener("online", () => {
  if (wanted) connect();
});
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) {
    hiddenTimer = setTimeout(() => {
      if (!wanted) return;
      close();
      liveState.value = "away";
    }, hiddenMs);
  } else if (wanted && !source) connect();
});
