import { createHash } from "node:crypto";
import type { Ask } from "../../../../mime/body/parse_question.ts";
import type { Clock } from "../../../core/clock.ts";
import { growingCache } from "../../../core/work/growing_cache.ts";

/** An entry takes about 150 bytes. */
const maxQuestions = 10_000;

/** After this time a question is asked once more: a busy machine may have been the reason. */
const askAgainMs = 15 * 60_000;

/** The questions about stored messages that a Worker did not answer in time: each would take its deadline again. */
export class LateQuestions {
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
