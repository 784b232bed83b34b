// Brings mail files of this machine to a mailbox. A run goes on while other pages are open.
import { computed, signal } from "@preact/signals";
import {
  bring,
  type Counts,
  type Message,
  type NotTaken,
  type Outcome,
} from "../../../archives/bring.ts";
import type { Standing } from "../../../archives/bring.ts";
import { readMail } from "../../../archives/read_mail.ts";
import { browserFile, type Source } from "../../../archives/source.ts";
import { byKey, outcomeOf } from "../../../archives/delivery.ts";
import type { Unwanted } from "../../../archives/state/mail_state.ts";
import { errorOf, offline } from "../../client.ts";
import { reloadMailboxes } from "../../state.ts";

export interface Run {
  mailboxId: string;
  source: Source;
  include: ReadonlySet<Unwanted>;
  state: "running" | "stopping" | "stopped" | "done" | "failed";
  failure: Error | null;
  /** Of the source, in bytes. */
  total: number;
  position: number;
  counts: Counts;
  folders: [string, Counts][];
  /** The first of what was refused. */
  refused: NotTaken[];
  /** When it began or went on, and where it was then. */
  since: { at: number; position: number };
  /** Where it can go on. */
  standing: Standing | null;
}

export const run = signal<Run | null>(null);
export const isRunning = computed(() => ["running", "stopping"].includes(run.value?.state ?? ""));

const mostRefused = 50;
/** How often what is shown changes. */
const shownEveryMs = 200;
let stopping = new AbortController();

/** The chosen files as one source; a folder if there are several, or they come from one. */
export function sourceOf(files: readonly File[]): Source {
  const [first] = files;
  const isFolder = files.length > 1 || first.webkitRelativePath !== "";
  const name = isFolder ? first.webkitRelativePath.split("/")[0] || "" : first.name;
  return {
    name,
    isFolder,
    async *files() {
      for (const file of files) {
        const { path, ...rest } = browserFile(file);
        // A folder's own name is not a folder of the mail.
        yield { ...rest, path: file.webkitRelativePath ? path.slice(name.length + 1) : path };
      }
    },
  };
}

export async function begin(
  given: Pick<Run, "mailboxId" | "include"> & { files: readonly File[] },
): Promise<void> {
  const { files, mailboxId, include } = given;
  await start({
    mailboxId,
    include,
    source: sourceOf(files),
    state: "running",
    failure: null,
    total: files.reduce((sum, { size }) => sum + size, 0),
    position: 0,
    counts: { accepted: 0, duplicates: 0, leftOut: 0, refused: 0 },
    folders: [],
    refused: [],
    since: { at: Date.now(), position: 0 },
    standing: null,
  });
}

/** What is on its way is finished, and nothing more begins. */
export function stop(): void {
  if (!run.value) return;
  run.value = { ...run.value, state: "stopping" };
  stopping.abort();
}

/** Goes on where it was stopped or failed. */
export async function goOn(): Promise<void> {
  const before = run.value;
  if (!before || isRunning.value) return;
  const { position } = before;
  const since = { at: Date.now(), position };
  await start({ ...before, state: "running", failure: null, since });
}

export function forget(): void {
  if (!isRunning.value) run.value = null;
}

async function start(its: Run): Promise<void> {
  run.value = its;
  stopping = new AbortController();
  const { signal } = stopping;
  addEventListener("beforeunload", warn);
  let { standing } = its;
  let now: Partial<Run> = {};
  let shownAt = 0;
  const refused = [...its.refused];
  const show = (more: Partial<Run>) => {
    now = { ...now, ...more };
    if (Date.now() - shownAt < shownEveryMs) return;
    shownAt = Date.now();
    run.value = { ...run.value!, ...now };
  };
  const end = (more: Partial<Run>) => {
    run.value = { ...run.value!, ...now, ...more, refused, standing };
  };
  try {
    const folders = await bring({
      items: () => readMail(its.source, { include: its.include }),
      post: (message) => deliver(its.mailboxId, message),
      at: (position, counts) => show({ position, counts: { ...counts } }),
      notTaken: (found) => {
        if (found.kind === "refused" && refused.length < mostRefused) refused.push(found);
      },
      from: standing,
      stands: (where) => {
        standing = where;
        show({ folders: where.folders });
      },
      signal,
    });
    end({ folders: [...folders], state: signal.aborted ? "stopped" : "done" });
  } catch (error) {
    end({ state: "failed", failure: error as Error });
  }
  removeEventListener("beforeunload", warn);
  await reloadMailboxes().catch(() => {});
}

/** The browser asks before the page is left. */
function warn(event: Event): void {
  event.preventDefault();
}

/** Waits before further tries of a message, if the service is busy or away. */
const pausesMs = [1_000, 2_000, 5_000, 10_000, 20_000];

async function deliver(mailboxId: string, message: Message): Promise<Outcome> {
  const { path, ...delivery } = byKey(mailboxId, message, "/api");
  for (let tries = 0;; tries++) {
    const answer = await fetch(path, { method: "POST", ...delivery }).catch(() => null);
    const isBusy = answer === null || answer.status === 429 || answer.status === 503;
    if (!isBusy || tries === pausesMs.length) {
      const body = await answer?.json().catch(() => ({}));
      const outcome = answer && outcomeOf(answer.status, body);
      if (outcome) return outcome;
      throw answer ? errorOf(answer, body) : offline();
    }
    const seconds = Number(answer?.headers.get("retry-after"));
    await new Promise((done) => setTimeout(done, seconds > 0 ? seconds * 1_000 : pausesMs[tries]));
  }
}
