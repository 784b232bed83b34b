import type { ProviderFindings } from "../../../domain/ports/sender_checks.ts";

/** Words of RFC 8601 for the verdicts of SES. Other verdicts, such as DISABLED, are no result. */
const sesWords = new Map([
  ["PASS", "pass"],
  ["FAIL", "fail"],
  ["GRAY", "none"],
  ["PROCESSING_FAILED", "temperror"],
]);

/** The verdicts in the receipt of an SES notification. SES does not name the domain of a signature. */
export function sesFindings(
  { spf, dkim, dmarc }: { spf?: string; dkim?: string; dmarc?: string },
): ProviderFindings {
  const spfWord = sesWords.get(spf ?? "");
  const dkimWord = sesWords.get(dkim ?? "");
  const dmarcWord = sesWords.get(dmarc ?? "");
  return {
    ...(spfWord ? { spf: spfWord } : {}),
    ...(dkimWord ? { dkim: dkimWord === "none" ? [] : [{ domain: null, result: dkimWord }] } : {}),
    ...(dmarcWord ? { dmarc: dmarcWord } : {}),
  };
}

const spfWords = ["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror"];
const dkimWords = ["pass", "fail", "policy", "neutral", "none", "temperror", "permerror"];
/** At most this many signatures of the form are read. */
const maxSignatures = 8;

/** The form fields `SPF` (`pass`) and `dkim` (`{@example.com : pass, @other.example : fail}`) of SendGrid. */
export function sendgridFindings(spf: string, dkim: string): ProviderFindings {
  const spfWord = spf.trim().toLowerCase();
  const isList = /^\s*\{[^{}]{0,4000}\}\s*$/.test(dkim);
  const signatures = !isList ? [] : dkim.replace(/[{}]/g, "").split(",").flatMap((each) => {
    const [domain, result] = each.split(":").map((part) => part.trim().toLowerCase());
    if (!/^@[a-z0-9._-]{1,253}$/.test(domain) || !dkimWords.includes(result ?? "")) return [];
    return [{ domain: domain.slice(1), result }];
  });
  return {
    ...(spfWords.includes(spfWord) ? { spf: spfWord } : {}),
    ...(isList ? { dkim: signatures.slice(0, maxSignatures) } : {}),
  };
}
