import { createHash } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import { unavailable } from "../../../core/errors.ts";
import type { BouncedRecipient } from "../../../../mime/body/delivery_report.ts";
import { growingCache } from "../../../core/work/growing_cache.ts";
import { FairTurns } from "../../../core/work/fair_turns.ts";
import { WorkSlices } from "../../../core/work/work_slices.ts";
import { type MessageBody, unreadable, unreadBody } from "../../../../mime/body/parse_body.ts";
import {
  answerOf,
  type Ask,
  isQuick,
  largeMessageBytes,
  type ParseAnswer,
  type ParseQuestion,
  quickAnswerOf,
  type ReadHead,
} from "../../../../mime/body/parse_question.ts";
import {
  type HtmlShowing,
  refusedHtml,
  type SafeHtml,
} from "../../../../mime/html/html_showing.ts";
import type { MailLink } from "../../../../mime/verification/mail_links.ts";
import type { Verification } from "../../../../mime/verification/verification.ts";
import type { Segment } from "../../../../mime/segments/segments.ts";
import { type NoAnswer, ownsBuffer, WorkerThread } from "../../../core/work/worker_thread.ts";

/** Working time for one message. The worst known message of 50 MB takes two seconds on a slow core. */
const parseDeadlineMs = 5_000;

/** Two, so that a message that takes all its time does not stop the others. Each Worker has one message in memory. */
const workerCount = 2;

/** A message waits so long for the Worker at work before the other one starts: that takes 0.1 s of processor time. */
const secondWorkerAfterMs = 200;

/** A message that is loaded only when its turn comes. */
export interface ParseSource {
  /** The account: accounts take turns. */
  userId: string;
  size: number;
  load(): Promise<Uint8Array>;
  /** Of a stored message: a question that was not answered in time is not asked again soon. */
  blobId?: string;
  /** The caller does not use the loaded bytes: they are moved to a Worker, not copied. */
  movable?: boolean;
  /** Parses in a Worker even if the message is small: it may have ended the process before. */
  inWorker?: boolean;
}

export interface ParsePool {
  /**
   * Parses a message of any size. A body that was not parsed in time has a `problem`. Rejects if `load` does, and with
   * SERVICE_UNAVAILABLE if no Worker starts.
   */
  parse(source: ParseSource): Promise<MessageBody>;
  /**
   * The bytes of attachments in the order of their ids, of each at most the first `maxBytes`; null for one that does not
   * exist or was not decoded in time.
   */
  attachments(
    source: ParseSource,
    attachmentIds: readonly string[],
    maxBytes?: number,
  ): Promise<(Uint8Array | null)[]>;
  /** The recipients of a delivery report; none if the message is not one or was not read in time. */
  report(source: ParseSource): Promise<BouncedRecipient[]>;
  /** The segments of its text; null if they were not found in time. `subject` is decoded. */
  segments(source: ParseSource, subject: string): Promise<Segment[] | null>;
  /**
   * Its HTML for a reader; null if it has none. Always in a Worker if the platform has Workers: hostile HTML can take
   * seconds.
   */
  safeHtml(source: ParseSource, showing: HtmlShowing): Promise<SafeHtml | null>;
  /** Its links; null if they were not found in time. */
  links(source: ParseSource, head: ReadHead): Promise<MailLink[] | null>;
  /** Its codes and links for signing in; null if they were not found in time. */
  verification(source: ParseSource, head: ReadHead): Promise<Verification | null>;
  /** Ends the Workers. Waiting and later calls reject with SERVICE_UNAVAILABLE. */
  close(): void;
}

export interface ParsePoolOptions {
  largeBytes?: number;
  deadlineMs?: number;
  /** Starts a Worker; null on a platform without Workers, and in tests. */
  startWorker?: (() => Worker) | null;
}

/**
 * Parses large messages in Workers, one of an account at a time. The account with the least recent work is next. Small
 * messages, and all of them on a platform without Workers, are parsed on the main thread, which yields every 2 ms.
 */
export function createParsePool(
  clock: Pick<Clock, "elapsed" | "after">,
  options: ParsePoolOptions = {},
): ParsePool {
  const largeBytes = options.largeBytes ?? largeMessageBytes;
  const deadlineMs = options.deadlineMs ?? parseDeadlineMs;
  const startWorker = options.startWorker === undefined ? defaultStart() : options.startWorker;
  const threads = startWorker
    ? Array.from({ length: workerCount }, () =>
      new WorkerThread<Question, ParseAnswer>({
        ...{ startWorker, deadlineMs, clock },
        bytesOf: ({ raw }) => raw.length,
        transfer: ({ raw, movable }) =>
          movable && ownsBuffer(raw) ? [raw.buffer as ArrayBuffer] : [],
      }))
    : [];
  const slices = new WorkSlices(clock);
  const turns = new FairTurns(threads.length, clock, {
    cold: {
      isCold: (slot) => !threads[slot].isStarted,
      waitMs: secondWorkerAfterMs,
      clock,
    },
  });
  const late = new LateQuestions(clock);
  let closed = false;

  const inThread = async (
    source: ParseSource,
    ask: Ask,
    thread: WorkerThread<Question, ParseAnswer>,
  ): Promise<ParseAnswer | NoAnswer> => {
    const { blobId } = source;
    // The same question may have been late while this one waited for its turn.
    if (blobId !== undefined && late.has(blobId, ask)) return "late";
    const question = { raw: await source.load(), movable: source.movable, ...ask };
    const answer = closed ? "closed" : await thread.ask(question);
    if (answer === "late" && blobId !== undefined) late.add(blobId, ask);
    return answer === "no worker" ? await answerOf(question) : answer;
  };

  const answerTo = async (source: ParseSource, ask: Ask): Promise<ParseAnswer | NoAnswer> => {
    const small = source.size < largeBytes && !source.inWorker;
    if (small || threads.length === 0) {
      const raw = await source.load();
      const question = { raw, ...ask };
      if (!isQuick(question)) return await answerOf(question);
      return await slices.run(() => quickAnswerOf(question));
    }
    if (source.blobId !== undefined && late.has(source.blobId, ask)) return "late";
    const answer = closed ? "closed" : await turns.run(
      source.userId,
      (slot) => inThread(source, ask, threads[slot]),
    );
    if (answer === "closed") throw unavailable("The service is stopping.");
    if (answer === "not begun") throw unavailable("The message could not be read at present.");
    return answer;
  };

  return {
    async parse(source) {
      const answer = await answerTo(source, { what: "body" });
      if (answer === "late") {
        const seconds = deadlineMs / 1_000;
        return unreadBody(`The message could not be read within ${seconds} seconds of work.`);
      }
      return partOf(answer, "body") ?? unreadBody(unreadable);
    },
    async attachments(source, attachmentIds, maxBytes) {
      const answer = await answerTo(source, { what: "attachments", attachmentIds, maxBytes });
      return partOf(answer, "contents") ?? attachmentIds.map(() => null);
    },
    async report(source) {
      return partOf(await answerTo(source, { what: "report" }), "bounced") ?? [];
    },
    async segments(source, subject) {
      return partOf(await answerTo(source, { what: "segments", subject }), "segments");
    },
    async safeHtml(source, showing) {
      const answer = await answerTo({ ...source, inWorker: true }, { what: "safe_html", showing });
      if (typeof answer === "object" && "safe" in answer) return answer.safe;
      return refusedHtml("The HTML of this message could not be made safe in time.");
    },
    async links(source, head) {
      return partOf(await answerTo(source, { what: "links", head }), "links");
    },
    async verification(source, head) {
      return partOf(await answerTo(source, { what: "verification", head }), "verification");
    },
    close() {
      closed = true;
      for (const thread of threads) thread.close();
    },
  };
}

/** What an answer has of this name; null if there is none. */
function partOf<Name extends string>(answer: ParseAnswer | NoAnswer, name: Name) {
  type Found = Extract<ParseAnswer, { [N in Name]: unknown }>;
  return typeof answer === "object" && name in answer ? (answer as Found)[name] : null;
}

type Question = ParseQuestion & { movable?: boolean };

function defaultStart(): (() => Worker) | null {
  if (typeof Worker === "undefined") return null;
  return () =>
    new Worker(new URL("../../../../mime/body/parse_worker.ts", import.meta.url), {
      type: "module",
    });
}

/** An entry takes about 150 bytes. */
const maxQuestions = 10_000;

/** After this time a question is asked once more: a busy machine may have been the reason. */
const askAgainMs = 15 * 60_000;

/** The questions about stored messages that a Worker did not answer in time: each would take its deadline again. */
class LateQuestions {
  private readonly askedAt = growingCache<string, { ms: number }>(maxQuestions);

  constructor(private readonly clock: Pick<Clock, "elapsed">) {}

  add(blobId: string, ask: Ask): void {
    this.askedAt.set(keyOf(blobId, ask), { ms: this.clock.elapsed() });
  }

  has(blobId: string, ask: Ask): boolean {
    if (this.askedAt.size === 0) return false;
    const asked = this.askedAt.get(keyOf(blobId, ask));
    return asked !== undefined && this.clock.elapsed() - asked.ms < askAgainMs;
  }
}

/** Hashed, because a question may hold a subject or 500 ids of attachments. */
function keyOf(blobId: string, ask: Ask): string {
  return createHash("sha256").update(JSON.stringify([blobId, ask])).digest("base64");
}
