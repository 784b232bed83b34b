import { words } from "./words.ts";

/** A refusal by the service, with its own message; `OFFLINE` (status 0) if no answer came. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** Seconds until a retry can succeed; null if the service did not name any. */
  get retryAfter(): number | null {
    const seconds = Number(this.details.retry_after);
    return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
  }

  /** What is wrong with each parameter, by its name; a part of one is written `block_senders.0`. */
  get fieldErrors(): Record<string, string> {
    return (this.details.field_errors ?? {}) as Record<string, string>;
  }
}

/** The quota that a refusal names; null if it is about no quota. */
export function quotaOf(error: Error): { used: number; limit: number } | null {
  if (!(error instanceof ApiError) || error.status !== 403) return null;
  const { used, limit } = error.details;
  return typeof used === "number" && typeof limit === "number" ? { used, limit } : null;
}

export type Query = Record<string, string | number | boolean | undefined>;

let onSignedOut = () => {};

/** Calls `run` whenever the service no longer knows the session. */
export function whenSignedOut(run: () => void): void {
  onSignedOut = run;
}

/**
 * One request with the session's cookie. Returns the parsed body. Throws ApiError. `keepalive`: the request continues
 * if the page closes.
 */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  options: { keepalive?: boolean } = {},
): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      ...options,
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw offline();
  }
  const json = await answer.json().catch(() => null);
  if (answer.ok && json !== null) return json as T;
  // A wrong password is a 401 too, but does not end a session.
  const takesPassword = path.startsWith("/api/auth/") ||
    (method === "DELETE" && path === "/api/account");
  if (answer.status === 401 && !takesPassword) onSignedOut();
  throw errorOf(answer, json);
}

export const offline = () => new ApiError(0, "OFFLINE", words.problem.offline);

/** The refusal in an answer. */
export function errorOf(answer: Response, json: unknown): ApiError {
  const { code, message, details } = (json as { error?: Partial<ApiError> } | null)?.error ?? {};
  const header = answer.headers.get("retry-after");
  return new ApiError(
    answer.status,
    code ?? "INTERNAL_ERROR",
    message ?? words.problem.status(answer.status),
    { ...header === null ? {} : { retry_after: header }, ...details },
  );
}

export function get<T>(path: string, query: Query = {}): Promise<T> {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => [name, String(value)]);
  return call("GET", given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path);
}

/** The body of an original message. Throws ApiError. */
export async function getText(path: string): Promise<string> {
  const answer = await fetch(path).catch(() => null);
  if (!answer) throw offline();
  if (!answer.ok) throw errorOf(answer, await answer.json().catch(() => null));
  return await answer.text();
}
