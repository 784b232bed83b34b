import { systemClock } from "../domain/core/clock.ts";

/** A service that is not there or not available is asked this often, a second to half a minute apart. */
const maxTries = 6;

/**
 * fetch() for long runs: a connection that breaks and a 503 are tried again, a 429 is waited out for as long as the service
 * says; `waiting` hears of waits of a second and more. Throws where the service is not to be reached.
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

/** A service on the same machine answers in milliseconds, one far away in less than this. */
const reachMs = 10_000;

/**
 * Throws at once where no service is to be reached, before any work is begun: what breaks later is waited for, what was
 * never there is a wrong address or a service that nobody has started.
 */
export async function reach(url: string): Promise<void> {
  try {
    const answer = await fetch(`${url}/v1/api/health`, { signal: AbortSignal.timeout(reachMs) });
    await answer.body?.cancel();
  } catch (error) {
    throw new Error(`${url} does not answer: is the service running there?`, { cause: error });
  }
}
