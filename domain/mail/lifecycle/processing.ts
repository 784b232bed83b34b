import type { CheckedBefore } from "../../core/job_kinds.ts";
import type { SenderAuth, SenderFacts } from "../../ports/sender_checks.ts";
import type { Email } from "../record/email.ts";
import { hasArrived } from "../record/email_row.ts";
import type { ProcessingEffect, Transition } from "./effects.ts";

/*
 * The processing of an email, from the commit that stores it until nothing of it is missing. Pure: no service, no clock.
 *
 * | part       | waiting                            | done                            | otherwise                                    |
 * | ---------- | ---------------------------------- | ------------------------------- | -------------------------------------------- |
 * | `parsed`   | a large email before its job       | its body was read               | failed: it could not be read, or ended the process |
 * | `checked`  | the sender of received mail        | its verdict stands              | failed: the check was an error; none: sent and imported mail |
 * | `indexed`  | search does not find it            | search finds it                 | failed: by its header fields alone, or not   |
 * | `embedded` | of a provider: it is not processed | it has its vectors, or gets none | later: a model in the background makes them |
 *
 * | event       | possible                  | what follows                                                                     |
 * | ----------- | ------------------------- | -------------------------------------------------------------------------------- |
 * | `stored`    | before all others         | a job; of mail that came in the change, and the event if it was parsed before    |
 * | `parsed`    | once                      | the event `email.received` or `email.imported`                                   |
 * | `checked`   | for received mail         | the verdict and its change; after an error another check; without verdict a job  |
 * | `indexed`   | after `parsed`            | a job for the texts of its files, and one for its vectors; what `checked` causes |
 * | `embedded`  | after `indexed`           |                                                                                  |
 * | `set aside` | always                    | as `parsed` and `indexed`, which it ends                                         |
 *
 * With the event after which received mail is processed and checked comes `email.processed`, as change and event, and no
 * other change. A job can run twice: a part that has ended is not done again, and nothing follows.
 */

/** What is done of an email's processing. The row of it is there while anything of it is waiting. */
export interface Processing {
  parsed: "waiting" | "done" | "failed";
  checked: "waiting" | "done" | "failed" | "none";
  indexed: "waiting" | "done" | "failed";
  embedded: "waiting" | "later" | "done";
  imported?: true;
  /** Why `email.processed` is `failed`; null: it is `indexed`. */
  problem: string | null;
}

/** What is known of a sender: the result of a check, or the input of one that has not ended. */
export interface SenderCheck {
  auth: SenderAuth | null;
  /** null if it is not to be checked again. */
  facts: SenderFacts | null;
  /** The checks before this one, all of them `error`. */
  again: CheckedBefore;
}

export type ProcessingEvent =
  | {
    is: "stored";
    /** This service received it. */
    inbound: boolean;
    imported?: true;
    large: boolean;
    /** null if a job is to parse the body. */
    parsed: { problem: string | null } | null;
    /** Of received mail whose sender is to be checked. */
    facts?: SenderFacts;
  }
  | { is: "parsed"; problem: string | null }
  | { is: "checked"; check: SenderCheck }
  | {
    is: "indexed";
    problem: string | null;
    /** False if the index took only the header fields. */
    withText: boolean;
    embedded: Processing["embedded"];
    hasFiles: boolean;
    check: SenderCheck | null;
  }
  | { is: "embedded" }
  | { is: "set aside"; problem: string; hasFiles: boolean; check: SenderCheck | null };

type Move = Transition<Processing, ProcessingEffect>;

/** How long after an `error` the sender is checked again: the DNS may have been down, or a stranger's mail kept it busy. */
const againAfterMs = [30_000, 120_000];

/**
 * The state after an event, and what follows. `state` is null before `stored`. Throws if the event is impossible in that
 * state.
 */
export function processing(state: Processing | null, event: ProcessingEvent): Move {
  if (event.is === "stored") return state === null ? stored(event) : impossible(state, event);
  if (state === null) return impossible(state, event);
  if (state.checked === "none" && "check" in event && event.check) return impossible(state, event);
  switch (event.is) {
    case "parsed": {
      if (state.parsed !== "waiting") return impossible(state, event);
      const { problem } = event;
      const parsed = problem === null ? "done" : "failed";
      return { next: { ...state, parsed, problem }, effects: eventOf(state) };
    }
    case "checked":
      return ended(state, state, [], event.check);
    case "indexed": {
      if (state.parsed === "waiting") return impossible(state, event);
      if (state.indexed !== "waiting") return { next: state, effects: [] };
      const { withText, hasFiles, check } = event;
      const problem = event.problem ?? (withText ? null : "The index did not take its text.");
      const indexed = withText ? "done" : "failed";
      const embedded = withText ? event.embedded : "done";
      const effects = filesOf(hasFiles);
      if (embedded !== "done") effects.push({ job: "embed_email", payload: {} });
      return ended(state, { ...state, indexed, embedded, problem }, effects, check);
    }
    case "embedded":
      if (state.indexed === "waiting") return impossible(state, event);
      return ended(state, { ...state, embedded: "done" }, [], null);
    case "set aside": {
      if (state.indexed !== "waiting") return { next: state, effects: [] };
      const { problem, hasFiles, check } = event;
      const effects = [
        ...state.parsed === "waiting" ? eventOf(state) : [],
        ...filesOf(hasFiles),
      ];
      const failed = { parsed: "failed", indexed: "failed", embedded: "done" } as const;
      return ended(state, { ...state, ...failed, problem }, effects, check);
    }
  }
}

/** What `processed` of an email says: its indexing has ended, and so have its vectors, unless they are made later. */
export function isProcessed({ indexed, embedded }: Processing): boolean {
  return indexed !== "waiting" && embedded !== "waiting";
}

/** Whether nothing is missing: then there is no row. */
export function isComplete(state: Processing): boolean {
  return isProcessed(state) && state.checked !== "waiting" && state.embedded === "done";
}

/** The state of an email that has no row of it. */
export function completeOf(
  email: Pick<Email, "direction" | "importId" | "auth">,
): Processing {
  const { auth } = email;
  const checked = !auth || auth.verdict === "error" ? "failed" : "done";
  return {
    ...{ parsed: "done", indexed: "done", embedded: "done", problem: null },
    checked: hasArrived(email) ? checked : "none",
  };
}

function stored(
  { inbound, imported, large, parsed, facts }: ProcessingEvent & { is: "stored" },
): Move {
  const next: Processing = {
    parsed: !parsed ? "waiting" : parsed.problem === null ? "done" : "failed",
    checked: !inbound ? "none" : facts ? "waiting" : "done",
    indexed: "waiting",
    embedded: "waiting",
    ...imported && { imported },
    problem: parsed?.problem ?? null,
  };
  const came = cameAs(next);
  const effects: ProcessingEffect[] = came ? [{ change: came }] : [];
  if (parsed) effects.push(...eventOf(next));
  // The sender of a small email is checked in the same job as its indexing: that saves a job. Large emails take turns.
  if (!large) effects.push({ job: "process_email", payload: facts ? { facts } : {} });
  else {
    effects.push({ job: "process_large_email", payload: {} });
    if (facts) effects.push({ job: "check_sender", payload: { facts } });
  }
  return { next, effects };
}

/** How an email came in; null if it was sent. */
function cameAs({ checked, imported }: Processing): "email.received" | "email.imported" | null {
  if (imported) return "email.imported";
  return checked === "none" ? null : "email.received";
}

function eventOf(state: Processing): ProcessingEffect[] {
  const event = cameAs(state);
  return event ? [{ event }] : [];
}

function filesOf(hasFiles: boolean): ProcessingEffect[] {
  return hasFiles ? [{ job: "index_attachments", payload: {} }] : [];
}

/** The end of a move: what was found of the sender, and what waits are told. */
function ended(
  before: Processing,
  after: Processing,
  effects: ProcessingEffect[],
  check: SenderCheck | null,
): Move {
  const verdict = check && withCheck(after, check);
  const next = verdict?.next ?? after;
  const all = [...effects, ...verdict?.effects ?? []];
  if (next.checked !== "none") {
    if (isTold(next) && !isTold(before)) {
      all.push({ processed: next.problem === null ? "indexed" : "failed" });
    } else if (all.some((each) => "auth" in each)) all.push({ change: "email.updated" });
  }
  return { next, effects: all };
}

function isTold(state: Processing): boolean {
  return isProcessed(state) && state.checked !== "waiting";
}

/** An `error` is only the lack of a verdict: the sender is checked again, and what is found then takes its place. */
function withCheck(state: Processing, { auth, facts, again }: SenderCheck): Move {
  if (state.checked === "done") return { next: state, effects: [] };
  const effects: ProcessingEffect[] = [];
  if (!auth) {
    const isLeft = facts !== null && state.checked === "waiting";
    return { next: state, effects: isLeft ? [{ job: "check_sender", payload: { facts } }] : [] };
  }
  const isError = auth.verdict === "error";
  if (!isError || state.checked === "waiting") effects.push({ auth });
  const afterMs = againAfterMs[again.errors];
  if (isError && facts && afterMs !== undefined) {
    const next = { ...again, errors: again.errors + 1 };
    effects.push({
      job: "check_sender",
      payload: { facts, again: next },
      at: again.since + afterMs,
    });
  }
  return { next: { ...state, checked: isError ? "failed" : "done" }, effects };
}

function impossible(state: Processing | null, event: ProcessingEvent): never {
  throw new Error(`impossible in ${JSON.stringify(state)}: ${JSON.stringify(event)}`);
}
