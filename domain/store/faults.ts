import { ServiceError, unavailable } from "../core/errors.ts";

/** How long a locked or full database is retried before the callers hear 503. */
export const maxFaultMs = 1_000;

/** SQLite's words for a database that is locked, full or failing; they pass, or a person mends them. */
export function isPassingFault(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ServiceError) &&
    /locked|busy|full|disk|i\/o|readonly|unable to open|connection|network|timed? ?out|temporar/i
      .test(error.message);
}

/** Runs `work`, again for a second while the database is locked or full; after that SERVICE_UNAVAILABLE. */
export async function faultsToUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      if (performance.now() - startedAt > maxFaultMs) {
        throw unavailable("The database is not available.");
      }
      await new Promise((done) => setTimeout(done, 20 + Math.random() * 60));
    }
  }
}
