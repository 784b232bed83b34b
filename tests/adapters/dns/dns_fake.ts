import type {
  Dns,
  DnsAnswer,
  Lookup,
  LookupRecord,
  LookupType,
  MxRecord,
} from "../../../domain/ports/dns.ts";

/** A zone in memory. A name that is not in it does not exist; one that is `unavailable` gets no answer. */
export class FakeDns implements Dns {
  readonly txtRecords = new Map<string, string[]>();
  readonly mxRecords = new Map<string, MxRecord[]>();
  /** Addresses and host names, by `name TYPE`. */
  readonly others = new Map<string, string[]>();
  readonly unavailable = new Set<string>();
  /** Questions of `lookUp`, as `name TYPE`. */
  readonly lookups: string[] = [];

  publish(
    name: string,
    records: { txt?: string[]; mx?: string[]; a?: string[]; aaaa?: string[]; ptr?: string[] },
  ): void {
    for (const type of ["a", "aaaa", "ptr"] as const) {
      const values = records[type];
      if (values !== undefined) this.others.set(`${name} ${type.toUpperCase()}`, values);
    }
    if (records.txt !== undefined) this.txtRecords.set(name, records.txt);
    if (records.mx !== undefined) {
      this.mxRecords.set(name, records.mx.map((exchange) => ({ preference: 10, exchange })));
    }
  }

  txt(name: string): Promise<DnsAnswer<string>> {
    return Promise.resolve(this.answer(name, this.txtRecords));
  }

  mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return Promise.resolve(this.answer(name, this.mxRecords));
  }

  lookUp(name: string, type: LookupType): Promise<Lookup> {
    const host = name.toLowerCase();
    this.lookups.push(`${host} ${type}`);
    if (this.unavailable.has(host)) {
      return Promise.resolve({ kind: "unavailable", reason: "as told by the test" });
    }
    const records: readonly LookupRecord[] =
      (type === "TXT"
        ? this.txtRecords.get(host)
        : type === "MX"
        ? this.mxRecords.get(host)
        : this.others.get(`${host} ${type}`)) ?? [];
    if (records.length > 0) {
      return Promise.resolve({ kind: "records", records: [...records], ttlSeconds: 0 });
    }
    const exists = this.txtRecords.has(host) || this.mxRecords.has(host) ||
      [...this.others.keys()].some((key) => key.startsWith(`${host} `));
    return Promise.resolve({ kind: "none", exists, ttlSeconds: 0 });
  }

  private answer<Answer>(name: string, zone: Map<string, Answer[]>): DnsAnswer<Answer> {
    if (this.unavailable.has(name)) return { kind: "unavailable", reason: "as told by the test" };
    const records = zone.get(name) ?? [];
    return records.length === 0 ? { kind: "none" } : { kind: "records", records };
  }
}
