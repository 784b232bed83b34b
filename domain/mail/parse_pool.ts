import { type MessageBody, parseBody, unreadBody } from "./parse_body.ts";
import type { ParseAnswer } from "./parse_worker.ts";

/**
 * From this size on a message is parsed in a Worker. Up to it, the main thread does it in about a
 * millisecond for every 30 KB; handing it over costs as much (notes/performance.md: Workers do not
 * pay for mail of ordinary size).
 */
export const LARGE_MESSAGE_BYTES = 256 * 1024;

/** Time for one message. The worst of 50 MB takes two seconds on a slow core. */
export const PARSE_DEADLINE_MS = 15_000;

/** A Worker costs about 30 MB; without work it goes after this long. */
const IDLE_MS = 5_000;

export interface ParsePool {
  /** Parses a message of any size. Never rejects: what does not end in time says so. */
  parse(raw: Uint8Array): Promise<MessageBody>;
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
 * Parses large messages one after the other in a Worker that is started when the first comes and
 * ended when none has come for a while, or when a message takes longer than the deadline: then a
 * new one takes its place, and the message gives a record saying that it could not be parsed in
 * time. Where the platform has no Workers, everything is parsed on the main thread.
 */
export function createParsePool(options: ParsePoolOptions = {}): ParsePool {
  const largeBytes = options.largeBytes ?? LARGE_MESSAGE_BYTES;
  const deadlineMs = options.deadlineMs ?? PARSE_DEADLINE_MS;
  let startWorker = options.startWorker === undefined ? defaultStart() : options.startWorker;
  let worker: Worker | null = null;
  let closed = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let abandon: (() => void) | null = null;

  const stop = () => {
    clearTimeout(idle);
    worker?.terminate();
    worker = null;
  };

  const ask = (raw: Uint8Array) =>
    new Promise<MessageBody>((resolve) => {
      clearTimeout(idle);
      try {
        worker ??= startWorker?.() ?? null;
      } catch {
        startWorker = null;
      }
      if (worker === null || closed) {
        resolve(closed ? unreadBody("the service was stopping") : parseBody(raw));
        return;
      }
      const finish = (body: MessageBody, healthy: boolean) => {
        clearTimeout(deadline);
        abandon = null;
        if (!healthy || closed) stop();
        else idle = setTimeout(stop, IDLE_MS);
        resolve(body);
      };
      const deadline = setTimeout(
        () => finish(unreadBody("the message could not be parsed in time"), false),
        deadlineMs,
      );
      abandon = () => finish(unreadBody("the service was stopping"), false);
      worker.onmessage = (event: MessageEvent<ParseAnswer>) => finish(event.data.body, true);
      worker.onerror = (event) => {
        event.preventDefault();
        finish(unreadBody("the message could not be parsed"), false);
      };
      worker.postMessage(raw);
    });

  return {
    parse(raw) {
      if (raw.length < largeBytes || startWorker === null) {
        return Promise.resolve(parseBody(raw));
      }
      const turn = last.then(() => ask(raw));
      last = turn;
      return turn;
    },
    close() {
      closed = true;
      if (abandon) abandon();
      else stop();
    },
  };
}

function defaultStart(): (() => Worker) | null {
  if (typeof Worker === "undefined") return null;
  return () => new Worker(new URL("./parse_worker.ts", import.meta.url), { type: "module" });
}

const shared = createParsePool();

/** {@link ParsePool.parse} of the pool that the process shares. */
export const parseLarge = (raw: Uint8Array): Promise<MessageBody> => shared.parse(raw);
