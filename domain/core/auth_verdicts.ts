import type { AuthVerdict } from "../ports/sender_checks.ts";

/** The verdicts on a sender, in the order in which stored rows number them. */
export const authVerdicts = ["pass", "fail", "none", "error"] as const satisfies AuthVerdict[];
