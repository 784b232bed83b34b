import type { components } from "./api.ts";

/** The codes of the service and of this client. */
export type ErrorCode =
  | components["schemas"]["ErrorCode"]
  | "CONNECTION_FAILED"
  | "UNEXPECTED_ANSWER"
  | "INVALID_SIGNATURE"
  | "INVALID_ARGUMENT"
  // A newer service may know more.
  | (string & Record<never, never>);

/** Why a call failed. It never contains the API key. */
export class LetterboxError extends Error {
  // In the minified package the class has another name, which Node would print.
  static override readonly name = "LetterboxError";
  override readonly name = "LetterboxError";

  constructor(
    /** For programs, such as `NOT_FOUND`. */
    readonly code: ErrorCode,
    message: string,
    /** The HTTP status; 0 if there was no answer. */
    readonly status = 0,
    /** Details from the service: for a `VALIDATION_ERROR` the fields and their problems. */
    readonly details: Record<string, unknown> = {},
    /** Seconds after which another try is useful; null if the service names none. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** The error of an answer that is not 2xx. If its body comes from a proxy, the code is `UNEXPECTED_ANSWER`. */
export function errorOf(status: number, headers: Headers, text: string): LetterboxError {
  let error: { code?: unknown; message?: unknown; details?: unknown } = {};
  try {
    error = JSON.parse(text).error ?? error;
  } catch { /* not from the service */ }
  const details = error.details && typeof error.details === "object" ? error.details : {};
  const known = typeof error.code === "string";
  return new LetterboxError(
    known ? error.code as string : "UNEXPECTED_ANSWER",
    known ? String(error.message) : `The service answered ${status} without an error code.`,
    status,
    details as Record<string, unknown>,
    secondsOf(headers.get("retry-after")) ?? secondsOf((details as Json).retry_after),
  );
}

type Json = Record<string, unknown>;

/** Seconds of a `Retry-After`: a number or an HTTP date (RFC 9110, 10.2.3). */
function secondsOf(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const date = Date.parse(String(value));
  return isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}
