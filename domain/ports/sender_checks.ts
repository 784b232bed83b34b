/** Checks who really sent a message: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). */
export interface SenderChecks {
  /**
   * Checks one message, until `until` at the latest, or for a second if that time is past. The result is `error` for
   * what the DNS has not answered by then. Rejects only if `raw` does.
   */
  check(question: SenderQuestion): Promise<SenderAuth>;
  /** Loads the code that the first check would load: that blocks the thread for 0.2 s. Never rejects. */
  prepare(): Promise<void>;
}

export interface SenderQuestion {
  /** The account that got the message: accounts share the DNS fairly. */
  userId: string;
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
  /** The peer that sent it over SMTP, to this service or to a trusted relay. Without it there is no SPF. */
  peer?: { ip: string; helo: string | null };
  /**
   * The message has no signature, and one From field whose author is the one that the service shows and that every program
   * reads the same: the check does not need its bytes.
   */
  isPlain?: true;
  /** The results of a provider's checks, as far as it reports them outside of the message. */
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
