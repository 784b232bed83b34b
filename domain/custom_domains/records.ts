import { z } from "zod";
import type { MxRecord } from "../ports/dns.ts";

/** SPEC.md, Domains, DNS records required: the priority to publish; any priority is accepted. */
const mxPriority = 10;
/** A hostile zone can hold thousands of records: what a failure shows of them is bounded. */
const maxShownRecords = 20;
const maxShownCharacters = 255;

/** What a domain must publish. */
export interface ExpectedRecords {
  /** The whole value, `<prefix>=<token>`. */
  txt: string;
  /** The service's mail host, lower case, no trailing dot. */
  mx: string;
}

/** What a domain was found to publish. */
export interface FoundRecords {
  txt: string[];
  mx: MxRecord[];
}

/** The state of a domain, as stored: each flag as found, whatever the other one is. */
export interface DomainFlags {
  verified: boolean;
  mx_configured: boolean;
}

/** One record to publish, as the API shows it (DECISIONS.md 10). */
export const dnsRecord = z.object({
  type: z.enum(["TXT", "MX"]),
  name: z.string().describe("Relative to the domain; @ is the domain itself"),
  value: z.string(),
  priority: z.number().int().optional(),
  required: z.boolean().describe("Whether verification waits for it"),
  status: z.enum(["missing", "valid"]),
}).meta({ id: "DnsRecord", description: "A DNS record to publish, and whether it was found" });
export type DnsRecord = z.output<typeof dnsRecord>;

/** The TXT value that proves a domain: `<prefix>=<token>`, the token lower-case hexadecimal. */
export function verificationToken(prefix: string, token: string): string {
  return `${prefix}=${token}`;
}

/**
 * Compares what was found with what is expected: the TXT record whole, apart from case (the token has
 * none) and surrounding space; the MX host apart from case and a final dot, whatever its preference.
 */
export function compareRecords(expected: ExpectedRecords, found: FoundRecords): DomainFlags {
  const txt = expected.txt.trim().toLowerCase();
  const mx = plainHost(expected.mx);
  return {
    verified: found.txt.some((each) => each.trim().toLowerCase() === txt),
    mx_configured: found.mx.some(({ exchange }) => plainHost(exchange) === mx),
  };
}

/** The two records that verification needs, with where they stand. */
export function requiredRecords(expected: ExpectedRecords, flags: DomainFlags): DnsRecord[] {
  return [
    {
      type: "TXT",
      name: "@",
      value: expected.txt,
      required: true,
      status: flags.verified ? "valid" : "missing",
    },
    {
      type: "MX",
      name: "@",
      value: expected.mx,
      priority: mxPriority,
      required: true,
      status: flags.mx_configured ? "valid" : "missing",
    },
  ];
}

/** `details` of `VERIFICATION_FAILED`; `instructions` names what is missing and only that. */
export function verificationFailure(
  domain: string,
  expected: ExpectedRecords,
  found: FoundRecords,
): {
  expected_txt_record: string;
  instructions: string;
  found_txt_records: string[];
  expected_mx_record: string;
  found_mx_records: string[];
} {
  const flags = compareRecords(expected, found);
  const missing = [
    ...flags.verified ? [] : [`a TXT record at ${domain} with the value ${expected.txt}`],
    ...flags.mx_configured
      ? []
      : [`an MX record at ${domain} with priority ${mxPriority} and the host ${expected.mx}`],
  ];
  return {
    expected_txt_record: expected.txt,
    instructions: `Publish ${missing.join(" and ")}, then verify again. ` +
      "A change in DNS can take until the old record's time to live has passed.",
    found_txt_records: found.txt.slice(0, maxShownRecords)
      .map((each) => each.slice(0, maxShownCharacters)),
    expected_mx_record: expected.mx,
    found_mx_records: found.mx.slice(0, maxShownRecords).map(({ exchange }) => exchange),
  };
}

function plainHost(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, "");
}
