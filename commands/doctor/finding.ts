import type { Settings } from "../../domain/core/settings.ts";
import type { Clock } from "../../domain/core/clock.ts";
import type { OwnEncoders } from "../../domain/core/settings/embeddings.ts";
import type { Dns } from "../../domain/ports/dns.ts";

/** The result of one check. `wrong` needs a repair; `unknown` could not be checked, or is no fault by itself. */
export interface Finding {
  state: "ok" | "wrong" | "unknown";
  /** The setting that it is about. */
  setting: string;
  text: string;
}

/** The input of checks. Malformed or missing settings are absent. */
export interface Deployment {
  settings: Partial<Settings>;
  dns: Dns;
  clock: Clock;
  /** How long a check waits for an answer, ms. */
  patienceMs: number;
  /** What is wrong with the files of encoders, in a sentence; null if nothing is. */
  faultOfEncoders(embeddings: OwnEncoders): Promise<string | null>;
  /** Bytes of memory that the process may use. */
  memory: number;
  /** Free bytes of the disk of a folder. */
  freeBytes(folder: string): Promise<number>;
}

const finding = (state: Finding["state"]) => (setting: string, text: string): Finding => ({
  state,
  setting,
  text,
});
export const ok = finding("ok"), wrong = finding("wrong"), unknown = finding("unknown");

/** Clocks may differ by this much. */
const mostDriftMs = 60_000;

/** Compares this machine's clock with another's time, ms since 1970. */
export function clockFinding(
  setting: string,
  whose: string,
  theirs: number,
  ours: number,
): Finding {
  const driftMs = theirs - ours;
  const seconds = Math.round(Math.abs(driftMs) / 1_000);
  if (Math.abs(driftMs) <= mostDriftMs) return ok(setting, `the clock of ${whose} agrees`);
  const side = driftMs > 0 ? "ahead of" : "behind";
  return wrong(
    setting,
    `the clock of ${whose} is ${seconds} s ${side} this machine's: set both by NTP`,
  );
}

/** Why a request had no answer, in few words. */
export function whyNoAnswer(error: unknown): string {
  const text = withCauses(error);
  if (/certificate.*Expired|CERT_HAS_EXPIRED|certificate has expired/i.test(text)) {
    return "its certificate has expired";
  }
  if (/NotValidForName|ALTNAME/i.test(text)) return "its certificate is for another name";
  if (/UnknownIssuer|self.signed/i.test(text)) return "its certificate is of an unknown issuer";
  if (/certificate/i.test(text)) return "its certificate is not valid";
  if (/refused/i.test(text)) return "the port is closed";
  if (/timed? ?out|TimeoutError|aborted/i.test(text)) return "nothing answers in time";
  if (/dns|lookup|ENOTFOUND|name resolution/i.test(text)) return "its name has no address";
  return "the connection failed";
}

function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.cause ? withCauses(error.cause) : ""}`;
}
