import { z } from "zod";
import type { MxRecord } from "../ports/dns.ts";

/** The priority to publish; any priority is accepted (docs/specification.md "Domains"). */
const mxPriority = 10;
/** A hostile zone can have thousands of records: a failure shows at most this number. */
const maxShownRecords = 20;
const maxShownCharacters = 255;

/** What a domain must publish. */
export interface ExpectedRecords {
  /** The whole value, `<prefix>=<token>`. */
  txt: string;
  /** The service's mail host, lower case, no trailing dot. */
  mx: string;
}

/** What a domain publishes. */
export interface FoundRecords {
  txt: string[];
  mx: MxRecord[];
}

/** Which of the two were found. */
export interface DomainFlags {
  verified: boolean;
  mxConfigured: boolean;
}

export const dnsRecord = z.object({
  type: z.enum(["TXT", "MX"]),
  name: z.string().describe("Relative to the domain; @ is the domain itself"),
  fqdn: z.string().describe("The whole name"),
  zone_name: z.string().describe(
    "The name in the zone of the registrable domain, such as corp.example of agents.corp.example; @ is that domain itself",
  ),
  value: z.string(),
  priority: z.number().int().optional(),
  required: z.boolean().describe("Whether verification needs it"),
  status: z.enum(["missing", "valid"]),
}).meta({ id: "DnsRecord", description: "A DNS record to publish, and whether it was found" });
export type DnsRecord = z.output<typeof dnsRecord>;
/** A record whose names in a zone are still to be written. */
export type NamedRecord = Omit<DnsRecord, "fqdn" | "zone_name">;

/** The TXT value that proves a domain: `<prefix>=<token>`, the token lower-case hexadecimal. */
export function verificationToken(prefix: string, token: string): string {
  return `${prefix}=${token}`;
}

/**
 * Compares the published records with the expected ones. The TXT record must be equal without regard to case and
 * surrounding space, the MX host without regard to case and a final dot; its preference does not matter.
 */
export function compareRecords(expected: ExpectedRecords, found: FoundRecords): DomainFlags {
  const txt = expected.txt.trim().toLowerCase();
  const mx = plainHost(expected.mx);
  return {
    verified: found.txt.some((each) => each.trim().toLowerCase() === txt),
    mxConfigured: found.mx.some(({ exchange }) => plainHost(exchange) === mx),
  };
}

/** The two records that verification needs, with their status. */
export function requiredRecords(expected: ExpectedRecords, flags: DomainFlags): NamedRecord[] {
  const record = (isFound: boolean) => ({
    name: "@",
    required: true,
    status: isFound ? "valid" as const : "missing" as const,
  });
  return [
    { type: "TXT", value: expected.txt, ...record(flags.verified) },
    { type: "MX", value: expected.mx, priority: mxPriority, ...record(flags.mxConfigured) },
  ];
}

/** `details` of `VERIFICATION_FAILED`; `instructions` names only what is missing. */
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
    ...flags.mxConfigured
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
