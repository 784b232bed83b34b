import type { Dns, DnsAnswer, MxRecord } from "../../../domain/ports/dns.ts";

/** A zone in memory: what is not in it does not exist; what is `unavailable` cannot be told. */
export class FakeDns implements Dns {
  readonly txtRecords = new Map<string, string[]>();
  readonly mxRecords = new Map<string, MxRecord[]>();
  readonly unavailable = new Set<string>();

  publish(name: string, records: { txt?: string[]; mx?: string[] }): void {
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

  private answer<Answer>(name: string, zone: Map<string, Answer[]>): DnsAnswer<Answer> {
    if (this.unavailable.has(name)) return { kind: "unavailable", reason: "as told by the test" };
    const records = zone.get(name) ?? [];
    return records.length === 0 ? { kind: "none" } : { kind: "records", records };
  }
}
