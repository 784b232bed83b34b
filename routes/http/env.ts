import type { AnswerShare } from "./answers/answer_budget.ts";
import type { MemoryShare } from "./memory_share.ts";
import type { Intake } from "./bodies/intake.ts";
import type { Caller, Guest } from "../../domain/core/caller.ts";
import type { Family } from "./families.ts";

/** What the middleware sets before a route runs. */
export interface Env {
  Variables: {
    /** In X-Request-Id of the answer and in the log line of a failure. */
    requestId: string;
    family: Family;
    caller: Caller | null;
    guest: Guest;
    /** Makes `WWW-Authenticate` of a 401, if it is another than usual. */
    challenge?: () => string;
    intake: Intake;
    /** The share of the body budget; null while the body is small. */
    bodyShare: MemoryShare | null;
    /** The share of the answer budget; null while the answer is small. */
    answerShare: AnswerShare | null;
    /** Puts the request of this call back into the windows of the account. Absent if none was counted. */
    uncount?: () => void;
    /**
     * Looks the credential up again; with `fresh` not from memory. Throws UNAUTHORIZED if it has ended in the meantime.
     */
    confirmCaller: (options?: { fresh: boolean }) => Promise<void>;
  };
}
