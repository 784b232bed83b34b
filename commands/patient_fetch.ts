import { systemClock } from "../domain/core/clock.ts";

/** Attempts if the service does not answer or answers 503, 1 s to 16 s apart unless it names a time. */
const maxTries = 6;

/**
 * fetch() for long runs: retries broken connections and 503, and waits after 429 for Retry-After. `waiting` is called before
 * each wait, with its seconds. Returns the last 503; throws if the service cannot be reached.
 */
export async function patientFetch(
  url: string,
  init: RequestInit,
  waiting: (seconds: number) => void = () => {},
): Promise<Response> {
  for (let attempt = 1;;) {
    let seconds = Math.min(2 ** (attempt - 1), 30);
    try {
      const answer = await fetch(url, init);
      if (answer.status !== 429 && answer.status !== 503) return answer;
      if (answer.status === 503 && attempt++ === maxTries) return answer;
      await answer.body?.cancel();
      seconds = Number(answer.headers.get("retry-after")) || seconds;
    } catch (error) {
      if (attempt++ === maxTries) {
        throw new Error(`${new URL(url).origin} does not answer`, { cause: error });
      }
    }
    waiting(seconds);
    const until = systemClock.now() + seconds * 1_000;
    await new Promise<void>((done) => systemClock.wakeAt(until, done));
  }
}

/** Even a distant service answers within this. */
const reachMs = 10_000;

/**
 * Throws if the service does not answer. For the start of a command, when no answer means a wrong URL or a service that is
 * not running; later failures are retried.
 */
export async function reach(url: string): Promise<void> {
  try {
    const answer = await fetch(`${url}/v1/api/health`, { signal: AbortSignal.timeout(reachMs) });
    await answer.body?.cancel();
  } catch (error) {
    throw new Error(`${url} does not answer: is the service running there?`, { cause: error });
  }
}
