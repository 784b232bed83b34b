import { type DkimKey, dkimRecordName, dkimRecordValue } from "../../mime/compose/dkim.ts";
import type { DnsRecord } from "./records.ts";

/** The record by which receivers check the signature of sent mail. Verification does not need it. */
export function dkimRecord(key: DkimKey, published: boolean): DnsRecord {
  return {
    type: "TXT",
    name: dkimRecordName(key),
    value: dkimRecordValue(key),
    required: false,
    status: published ? "valid" : "missing",
  };
}

/** Whether the DKIM record is one of these TXT records; DNS tools may have added or removed spaces. */
export function isDkimRecord(key: DkimKey, found: readonly string[]): boolean {
  const plain = (text: string) => text.replace(/\s+/g, "").replace(/;$/, "");
  return found.some((each) => plain(each) === plain(dkimRecordValue(key)));
}
