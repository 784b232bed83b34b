import type { DnsAnswer } from "../ports/dns.ts";
import type { Service } from "../core/service.ts";
import type { Settings } from "../core/settings.ts";
import { type DkimKey, dkimRecordName, dkimRecordValue } from "../../mime/compose/dkim.ts";
import type { NamedRecord } from "./records.ts";

/** Which of the records that help sent mail were found. */
export interface SendingRecordsFound {
  dkim: boolean;
  spf: boolean;
  dmarc: boolean;
}

export const noSendingRecords: SendingRecordsFound = { dkim: false, spf: false, dmarc: false };

/** The records by which receivers check mail of the domain. Verification needs none of them. */
export function sendingRecords(
  key: DkimKey | null,
  settings: Pick<Settings, "SHARED_DOMAINS">,
  found: SendingRecordsFound,
): NamedRecord[] {
  const record = (name: string, value: string, isFound: boolean): NamedRecord => ({
    type: "TXT",
    name,
    value,
    required: false,
    status: isFound ? "valid" : "missing",
  });
  return [
    ...key ? [record(dkimRecordName(key), dkimRecordValue(key), found.dkim)] : [],
    record("@", `v=spf1 ${spfTerm(settings)} ~all`, found.spf),
    record("_dmarc", "v=DMARC1; p=none", found.dmarc),
  ];
}

/** The operator keeps the addresses of the relay in the SPF record of the first shared domain. */
function spfTerm({ SHARED_DOMAINS }: Pick<Settings, "SHARED_DOMAINS">): string {
  return `include:${SHARED_DOMAINS[0]}`;
}

/**
 * Looks for the records in parallel, in at most 10 s; a DNS that does not answer counts as none. `asked` is the answer
 * for the domain itself. An SPF record counts if it has the term of the one above, a DMARC record with any policy; of two
 * neither counts, because receivers then use none (RFC 7208 section 4.5, RFC 9989).
 */
export async function findSendingRecords(
  service: Service,
  domain: string,
  key: DkimKey | null,
  asked: Promise<DnsAnswer<string>>,
): Promise<SendingRecordsFound> {
  const recordsAt = async (name: string) => {
    const answer = await service.dns.txt(`${name}.${domain}`);
    return answer.kind === "records" ? answer.records : [];
  };
  const [own, dkim, dmarc] = await Promise.all([
    asked,
    key === null ? [] : recordsAt(dkimRecordName(key)),
    recordsAt("_dmarc"),
  ]);
  const term = spfTerm(service.settings);
  const spf = (own.kind === "records" ? own.records : [])
    .map((each) => each.trim().toLowerCase().split(/\s+/))
    .filter(([version]) => version === "v=spf1");
  const policies = dmarc.filter((each) => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(each));
  return {
    dkim: key !== null && isDkimRecord(key, dkim),
    spf: spf.length === 1 && spf[0].some((one) => one.replace(/^\+/, "") === term),
    dmarc: policies.length === 1,
  };
}

/** Whether the DKIM record is one of these TXT records; DNS tools may have added or removed spaces. */
function isDkimRecord(key: DkimKey, found: readonly string[]): boolean {
  const plain = (text: string) => text.replace(/\s+/g, "").replace(/;$/, "");
  return found.some((each) => plain(each) === plain(dkimRecordValue(key)));
}
