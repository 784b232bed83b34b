import { Letterbox } from "../../../sdk/typescript/src/index.ts";

/** An answer of a scripted service: a body as JSON or text, with a status; an Error breaks the connection. */
export type Answer = Error | { status?: number; headers?: Record<string, string>; body?: unknown };

export interface Seen {
  method: string;
  url: URL;
  headers: Headers;
  body: string | undefined;
}

/** A client of a service that gives `answers` in turn, and the requests that it saw. */
export function scripted(answers: Answer[], options: { maxRetries?: number } = {}) {
  const seen: Seen[] = [];
  const client = new Letterbox({
    baseUrl: "https://mail.example.com/",
    apiKey: "lbx_secret",
    fetch: (url, { method, headers, body, signal }) => {
      seen.push({
        method: method!,
        url: new URL(url),
        headers: new Headers(headers),
        body: body as string | undefined,
      });
      signal?.throwIfAborted();
      const answer = answers.shift();
      if (!answer) throw new Error("more requests than answers");
      if (answer instanceof Error) return Promise.reject(answer);
      const { status = 200, body: given = { success: true, data: {} } } = answer;
      const text = typeof given === "string" ? given : JSON.stringify(given);
      return Promise.resolve(new Response(text, { status, headers: answer.headers }));
    },
    ...options,
  });
  return { client, seen, answers };
}

/** An answer of the service that is a failure. */
export function failure(
  status: number,
  code: string,
  { details, retryAfter = 0 }: { details?: object; retryAfter?: number | null } = {},
): Answer {
  const headers: Record<string, string> = {};
  if (retryAfter !== null) headers["retry-after"] = String(retryAfter);
  return { status, headers, body: { success: false, error: { code, message: "No.", details } } };
}
