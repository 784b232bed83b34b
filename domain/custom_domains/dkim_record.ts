import { type DkimKey, dkimRecordName, dkimRecordValue } from "../../mime/compose/dkim.ts";
import type { DnsRecord } from "./records.ts";

/** The record that lets receivers check the signature of sent mail; verification does not wait for it. */
export function dkimRecord(key: DkimKey, published: boolean): DnsRecord {
  return {
    type: "TXT",
    name: dkimRecordName(key),
    value: dkimRecordValue(key),
    required: false,
    status: published ? "valid" : "missing",
  };
}

/** Whether a TXT record found is the one to publish: spaces may have been lost or added on the way. */
export function isDkimRecord(key: DkimKey, found: readonly string[]): boolean {
  const plain = (text: string) => text.replace(/\s+/g, "").replace(/;$/, "");
  return found.some((each) => plain(each) === plain(dkimRecordValue(key)));
}
