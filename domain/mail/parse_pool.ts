import { attachmentContent, type MessageBody, parseBody, unreadBody } from "./parse_body.ts";
import type { ParseAnswer, ParseQuestion } from "./parse_worker.ts";

/**
 * From this size on a message is parsed in a Worker. Up to it, the main thread does it in about a
 * millisecond for every 30 KB; handing it over costs as much (notes/performance.md: Workers do not
 * pay for mail of ordinary size).
 */
export const LARGE_MESSAGE_BYTES = 512 * 1024;

/** Time for one message. The worst of 50 MB takes two seconds on a slow core. */
export const PARSE_DEADLINE_MS = 15_000;

/** A Worker costs about 30 MB; without work it goes after this long. */
const IDLE_MS = 5_000;

/** After this much mail a Worker is ended at once: its heap has grown, and goes with it. */
const MAX_BYTES_A_LIFE = 16 * 1024 * 1024;

/** A message that need not be in memory before its turn comes. */
export interface ParseSource {
  size: number;
  load(): Promise<Uint8Array>;
}

export interface ParsePool {
  /** Parses a message of any size. What does not end in time says so; rejects where `load` does. */
  parse(source: ParseSource): Promise<MessageBody>;
  /** The bytes of an attachment; null where there is none, or where it was not decoded in time. */
  attachment(source: ParseSource, attachmentId: string): Promise<Uint8Array | null>;
  /** Ends the Worker; messages that wait for it come back unread. */
  close(): void;
}

export interface ParsePoolOptions {
  largeBytes?: number;
  deadlineMs?: number;
  /** Starts a Worker; null where there is none, for platforms without and for tests. */
  startWorker?: (() => Worker) | null;
}

/**
 * Parses large messages one after the other, so that one at a time is in memory, in a Worker that is
 * started when the first comes and ended when none has come for a while, when it has seen much mail, or
 * when a message takes longer than the deadline: then the message gives a record saying so. Where the
 * platform has no Workers, everything is parsed on the main thread.
 */
export function createParsePool(options: ParsePoolOptions = {}): ParsePool {
  const largeBytes = options.largeBytes ?? LARGE_MESSAGE_BYTES;
  const deadlineMs = options.deadlineMs ?? PARSE_DEADLINE_MS;
  let startWorker = options.startWorker === undefined ? defaultStart() : options.startWorker;
  let worker: Worker | null = null;
  let seenBytes = 0;
  let closed = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let abandon: (() => void) | null = null;

  const stop = () => {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
    seenBytes = 0;
  };

  /** Asks the Worker; the answer is a problem in words where it has none. */
  const ask = (question: ParseQuestion) =>
    new Promise<ParseAnswer | string>((resolve) => {
      clearTimeout(idle);
      try {
        if (!closed) worker ??= startWorker?.() ?? null;
      } catch {
        startWorker = null;
      }
      if (closed) return resolve("the service was stopping");
      if (worker === null) return resolve(answerHere(question));
      const finish = (answer: ParseAnswer | string) => {
        clearTimeout(deadline);
        abandon = null;
        if (typeof answer === "string" || closed || seenBytes > MAX_BYTES_A_LIFE) stop();
        else idle = setTimeout(stop, IDLE_MS);
        resolve(answer);
      };
      const deadline = setTimeout(
        () => finish("the message could not be parsed in time"),
        deadlineMs,
      );
      abandon = () => finish("the service was stopping");
      worker.onmessage = (event: MessageEvent<ParseAnswer>) => finish(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        finish("the message could not be parsed");
      };
      seenBytes += question.raw.length;
      worker.postMessage(question);
    });

  const inTurn = async ({ size, load }: ParseSource, attachmentId: string | null) => {
    if (size < largeBytes || startWorker === null) {
      return answerHere({ raw: await load(), attachmentId });
    }
    const turn = last.then(async () => await ask({ raw: await load(), attachmentId }));
    last = turn.catch(() => {});
    return await turn;
  };

  return {
    async parse(source) {
      const answer = await inTurn(source, null);
      if (typeof answer === "string") return unreadBody(answer);
      return "body" in answer ? answer.body : unreadBody("the message could not be parsed");
    },
    async attachment(source, attachmentId) {
      const answer = await inTurn(source, attachmentId);
      return typeof answer !== "string" && "content" in answer ? answer.content : null;
    },
    close() {
      closed = true;
      if (abandon) abandon();
      else stop();
    },
  };
}

function answerHere({ raw, attachmentId }: ParseQuestion): ParseAnswer {
  return attachmentId === null
    ? { body: parseBody(raw) }
    : { content: attachmentContent(raw, attachmentId) };
}

function defaultStart(): (() => Worker) | null {
  if (typeof Worker === "undefined") return null;
  return () => new Worker(new URL("./parse_worker.ts", import.meta.url), { type: "module" });
}

const shared = createParsePool();

/** {@link ParsePool.parse} of the pool that the process shares. */
export const parseMessage = (source: ParseSource): Promise<MessageBody> => shared.parse(source);

/** {@link ParsePool.attachment} of the pool that the process shares. */
export const readAttachment = (
  source: ParseSource,
  attachmentId: string,
): Promise<Uint8Array | null> => shared.attachment(source, attachmentId);
