/** Looks up records of mail domains in the public DNS. */
export interface Dns {
  /**
   * The TXT records of `name`, the strings of each joined (RFC 7208 section 3.3). The resolver follows
   * CNAMEs.
   */
  txt(name: string): Promise<DnsAnswer<string>>;
  /** The MX records of `name`, lowest preference first. */
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
}

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
