import type { AuthVerdict } from "../../domain/ports/sender_checks.ts";

/** The results of the parts of a check. `isAligned`: the checked domain belongs to the author's domain. */
export interface Findings {
  spf: { result: string; isAligned: boolean };
  dkim: { result: string; isAligned: boolean }[];
  /** The policy of the DMARC record; `none` if the domain has no record. */
  dmarc: string;
}

/**
 * The verdict of a message with one author domain (docs/specification.md "Who sent it"). A broken signature counts as
 * none (RFC 6376 section 6.3). A missing answer of the DNS counts only if it could have been a pass of the author's
 * domain: a stranger's DNS that does not answer changes no verdict.
 */
export function verdictOf(
  { spf, dkim, dmarc }: Findings,
): { verdict: AuthVerdict; dmarc: string } {
  const aligned = [spf, ...dkim].filter(({ isAligned }) => isAligned);
  const has = (result: string) => aligned.some((each) => each.result === result);
  if (dmarc === "pass") return { verdict: "pass", dmarc };
  if (dmarc === "fail") {
    return has("temperror") ? { verdict: "error", dmarc: "temperror" } : { verdict: "fail", dmarc };
  }
  if (dmarc !== "none") return { verdict: "error", dmarc };
  if (has("pass")) return { verdict: "pass", dmarc };
  if (has("temperror")) return { verdict: "error", dmarc };
  return { verdict: spf.isAligned && spf.result === "fail" ? "fail" : "none", dmarc };
}

/** Results of signatures, the strongest proof first. */
const dkimOrder = ["pass", "temperror", "fail", "policy", "permerror", "neutral"];

/** One word for all signatures of a message; `none` without any. */
export function dkimWord(results: readonly { result: string; isAligned: boolean }[]): string {
  const words = results.map(({ result }) => result);
  return dkimOrder.find((word) => words.includes(word)) ?? "none";
}
