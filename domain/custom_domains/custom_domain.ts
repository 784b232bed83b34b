import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { DkimKey } from "../../mime/compose/dkim.ts";
import { dnsRecord, type ExpectedRecords, requiredRecords } from "./records.ts";
import type { ZoneNames } from "./zone_names.ts";
import { noSendingRecords, sendingRecords, type SendingRecordsFound } from "./sending_records.ts";

/** A custom domain of an account. Both flags are those of the last DNS answer. */
export interface CustomDomain {
  domainId: string;
  userId: string;
  /** As `normaliseHost` writes it. */
  name: string;
  /** The whole TXT value to publish, `<prefix>=<token>`. */
  verificationToken: string;
  /** The TXT record was found: the domain belongs to this account only. */
  verified: boolean;
  /** The MX record was found to name the service's mail host. */
  mxConfigured: boolean;
  /** Which records for sent mail were found. Absent until the first check. */
  sendingRecords?: SendingRecordsFound;
  createdAt: number;
  /** When it was first proved; it is checked daily since then. */
  firstVerifiedAt: number | null;
}

/** The one account that has proved a domain, under `custom_domains_verified`. */
export interface DomainClaim {
  userId: string;
  domainId: string;
}

const domainRecord = z.object({
  domain_id: z.string(),
  domain_name: z.string(),
  verification_token: z.string().describe(
    "The whole value of the TXT record to publish: VERIFY_PREFIX, = and a token",
  ),
  verified: z.boolean().describe("The TXT record was found"),
  mx_configured: z.boolean().describe("The MX record names the service's mail host"),
  created_at: timestampField,
  mailbox_count: z.number().int().describe("Active mailboxes on this domain"),
}).meta({ id: "Domain" });

export const domainWithRecords = domainRecord.extend({
  dns_records: z.array(dnsRecord).describe(
    "The records to publish, each with whether it was found",
  ),
}).meta({ id: "DomainDetail", description: "A domain with its DNS records" });

export function domainWithRecordsOf(
  domain: CustomDomain,
  mailboxCount: number,
  dkimKey: DkimKey | null,
  settings: Settings,
  zoneNames: ZoneNames,
): z.input<typeof domainWithRecords> {
  return {
    domain_id: domain.domainId,
    domain_name: domain.name,
    verification_token: domain.verificationToken,
    verified: domain.verified,
    mx_configured: domain.mxConfigured,
    created_at: isoTime(domain.createdAt),
    mailbox_count: mailboxCount,
    dns_records: [
      ...requiredRecords(expectedRecords(domain, settings), domain),
      ...sendingRecords(dkimKey, settings, domain.sendingRecords ?? noSendingRecords),
    ].map((record) => ({ ...record, ...zoneNames(domain.name, record.name) })),
  };
}

/** The account's domain. Throws NOT_FOUND if it is unknown, another account's or removed. */
export async function readDomain(
  store: Pick<Tx, "get">,
  userId: string,
  domainId: string,
): Promise<CustomDomain> {
  const domain = await store.get<CustomDomain>(keys.customDomain(userId, domainId));
  if (!domain) throw notFound("domain");
  return domain;
}

/** Active mailboxes of the account on the domain. */
export async function countMailboxes(
  store: Pick<Tx, "get">,
  domain: CustomDomain,
): Promise<number> {
  return await store.get<number>(keys.customDomainMailboxes(domain.userId, domain.name)) ?? 0;
}

/** Whether `userId` has proved `domain` and it has not lapsed. */
export async function hasProved(
  store: Pick<Tx, "get">,
  userId: string,
  domain: string,
): Promise<boolean> {
  const claim = await store.get<DomainClaim>(keys.customDomainVerified(domain));
  return claim?.userId === userId;
}

export function expectedRecords(domain: CustomDomain, settings: Settings): ExpectedRecords {
  return { txt: domain.verificationToken, mx: settings.MX_HOST };
}
