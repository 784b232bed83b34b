/** Looks up records of mail domains in the public DNS. */
export interface Dns {
  /**
   * The TXT records of `name`, the strings of each joined (RFC 7208 section 3.3). The resolver follows
   * CNAMEs.
   */
  txt(name: string): Promise<DnsAnswer<string>>;
  /** The MX records of `name`, lowest preference first. */
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /**
   * The records of `name` of any type below, with how long they are valid. For the checks of senders. If `signal` is
   * aborted, the question ends as `unavailable`, and its socket is free.
   */
  lookUp(name: string, type: LookupType, signal?: AbortSignal): Promise<Lookup>;
}

export type LookupType = "A" | "AAAA" | "CNAME" | "MX" | "PTR" | "TXT";

/**
 * `none`: `exists` is true if the name has records of other types, false if it does not exist (NXDOMAIN). `ttlSeconds`:
 * how long the answer is valid.
 */
export type Lookup =
  | { kind: "records"; records: LookupRecord[]; ttlSeconds: number }
  | { kind: "none"; exists: boolean; ttlSeconds: number }
  | { kind: "unavailable"; reason: string };

/** An address, a host name, or a text whose strings are joined; of MX with its preference. */
export type LookupRecord = string | MxRecord;

export interface MxRecord {
  preference: number;
  /** Host name, lower case, no trailing dot; empty for the null MX (RFC 7505). */
  exchange: string;
}

/**
 * `none`: the name or the type does not exist (NXDOMAIN, no data): a fact about the domain.
 * `unavailable`: no fact (no answer, SERVFAIL, REFUSED, malformed); `reason` is for logs.
 */
export type DnsAnswer<Answer> =
  | { kind: "records"; records: Answer[] }
  | { kind: "none" }
  | { kind: "unavailable"; reason: string };
