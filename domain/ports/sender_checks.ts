/** Checks who really sent a message: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). */
export interface SenderChecks {
  /**
   * Checks one message. Takes until `until` at the latest, or a second if that is past, and then says `error` of what the
   * DNS has not answered. Rejects only if `raw` does.
   */
  check(question: SenderQuestion): Promise<SenderAuth>;
  /** Loads what the first check would load: that takes 0.2 s, in which nothing else is done. */
  prepare(): Promise<void>;
}

export interface SenderQuestion {
  /** What is known besides the message. */
  facts: SenderFacts;
  /** RFC 5321 reverse path; "" is the null sender. */
  reversePath: string;
  /** The author's address that the service shows; "" if the message has none. */
  from: string;
  /** The bytes of the message, in pieces of at most 64 KiB. */
  raw(): AsyncIterable<Uint8Array>;
  /** ms since 1970. */
  until: number;
}

/** What is known of the sender of a message besides its bytes. Kept in the job of the check. */
export interface SenderFacts {
  /** The peer that sent it over SMTP, here or at a relay that we trust. Without it there is no SPF. */
  peer?: { ip: string; helo: string | null };
  /**
   * The message has no signature, and one From field whose author is the one that the service shows and that every program
   * reads the same: the check does not need its bytes.
   */
  isPlain?: true;
  /** What a provider found, as far as it says it outside of the message. */
  provider?: ProviderFindings;
}

export interface ProviderFindings {
  spf?: string;
  /** Each signature with its domain; null if the provider does not name it. */
  dkim?: { domain: string | null; result: string }[];
  dmarc?: string;
}

export type AuthVerdict = "pass" | "fail" | "none" | "error";

/** What the checks of a sender found (docs/specification.md "Who sent it"). `spf`, `dkim` and `dmarc`: words of RFC 8601. */
export interface SenderAuth {
  verdict: AuthVerdict;
  spf: string;
  dkim: string;
  dmarc: string;
  /** The author's domain, lower-case ASCII; null if there is none, or more than one. */
  domain: string | null;
  source: "checked" | "provider" | "none";
}
