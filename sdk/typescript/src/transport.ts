import { errorOf, LetterboxError } from "./errors.ts";

export interface ClientOptions {
  /** The address of the service, such as `https://mail.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** At most how often a failed request is sent again; default 3. */
  maxRetries?: number;
}

export interface Options {
  /** Cancels the call: it rejects with the signal's reason at once. */
  signal?: AbortSignal;
}

export interface Request extends Options {
  method: string;
  /** From `/v1/api` on. */
  path: string;
  /** The path of further tries, if it is another. */
  retryPath?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** It may be sent again after a lost answer, because sending it twice does no harm. */
  repeatable: boolean;
}

/** Sends one request, repeats it after temporary failures, and returns the result of `read` for the answer. */
export type Transport = <T>(
  request: Request,
  read: (response: Response) => T | Promise<T>,
) => Promise<T>;

const longestPauseSeconds = 60;

export function createTransport(options: ClientOptions): Transport {
  const { apiKey, maxRetries = 3, fetch: given } = options;
  const baseUrl = String(options.baseUrl ?? "").replace(/\/+$/, "");
  if (!/^https?:\/\//.test(baseUrl)) {
    throw new LetterboxError("INVALID_ARGUMENT", "baseUrl must begin with http:// or https://");
  }
  // If the key cannot be in a header, the error of fetch would quote it.
  if (!/^[\x21-\x7e]+$/.test(apiKey ?? "")) {
    throw new LetterboxError("INVALID_ARGUMENT", "apiKey is missing or has spaces or line ends");
  }
  const once = async <T>(request: Request, read: (response: Response) => T | Promise<T>) => {
    const { method, path, headers, body, signal } = request;
    const response = await (given ?? fetch)(baseUrl + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
      body,
      signal,
      // A redirect would turn a POST into a GET.
      redirect: "manual",
    });
    if (!response.ok) throw errorOf(response.status, response.headers, await response.text());
    return await read(response);
  };
  return async (request, read) => {
    const { signal, repeatable } = request;
    for (let tries = 0;; tries++) {
      signal?.throwIfAborted();
      try {
        return await orAborted(signal, once(request, read));
      } catch (caught) {
        signal?.throwIfAborted();
        const error = caught instanceof LetterboxError ? caught : connectionFailed(caught);
        const { code, status, retryAfter, details } = error;
        // A proxy that does not reach the service, as while it is restarted.
        const isGateway = code === "UNEXPECTED_ANSWER" && (status === 502 || status === 504);
        const passes = status === 429 || status === 503 ||
          repeatable && (status === 500 || isGateway || code === "CONNECTION_FAILED");
        // At most 48 s, so that any number of tries is possible.
        const pause = retryAfter ?? 0.5 * 2 ** Math.min(tries, 6) * (1 + Math.random() / 2);
        if (
          !passes || tries >= maxRetries || pause > longestPauseSeconds ||
          details.window === "thread"
        ) throw error;
        await sleep(pause * 1_000, signal);
        request = { ...request, path: request.retryPath ?? request.path };
      }
    }
  };
}

function connectionFailed(cause: unknown): LetterboxError {
  const error = new LetterboxError("CONNECTION_FAILED", "The service could not be reached.");
  error.cause = cause;
  return error;
}

/** The result of `work`, or the signal's reason as soon as it is aborted. */
export function orAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((done) => timer = setTimeout(done, ms));
  await orAborted(signal, over).finally(() => clearTimeout(timer));
}

/** The JSON of a successful answer. */
export async function json(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const answer = parsed(text);
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
    return answer as Record<string, unknown>;
  }
  const message = `The service answered ${response.status} without JSON: is baseUrl right?`;
  throw new LetterboxError("UNEXPECTED_ANSWER", message, response.status);
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
