import { z } from "zod";
import { isoTime, timestampField } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { ExpectedRecords } from "./records.ts";

/** A custom domain of an account (SPEC.md, Domain). Both flags stand as the DNS was last found. */
export interface Host {
  hostId: string;
  userId: string;
  /** As `normaliseHost` writes it. */
  name: string;
  /** The whole TXT value to publish, `<prefix>=<token>`. */
  verificationToken: string;
  /** The TXT record was found: the domain is this account's, and of no other. */
  verified: boolean;
  /** The MX record was found to name the service's mail host. */
  mxConfigured: boolean;
  createdAt: number;
  /** When it was proved for the first time; from then on it is looked at again daily. */
  firstVerifiedAt: number | null;
  /** When the DNS last gave an answer. */
  checkedAt: number | null;
}

/** Who has proved a domain: one account at most, under `hosts_verified`. */
export interface HostClaim {
  userId: string;
  hostId: string;
}

export const hostRecord = z.object({
  domain_id: z.string(),
  domain_name: z.string(),
  verification_token: z.string().describe("The whole value of the TXT record to publish"),
  verified: z.boolean().describe("The TXT record was found"),
  mx_configured: z.boolean().describe("The MX record names the service's mail host"),
  created_at: timestampField,
  mailbox_count: z.number().int().describe("Active mailboxes on this domain"),
}).meta({ id: "Domain" });

export function hostRecordOf(host: Host, mailboxCount: number): z.input<typeof hostRecord> {
  return {
    domain_id: host.hostId,
    domain_name: host.name,
    verification_token: host.verificationToken,
    verified: host.verified,
    mx_configured: host.mxConfigured,
    created_at: isoTime(host.createdAt),
    mailbox_count: mailboxCount,
  };
}

/** The account's domain, or NOT_FOUND: unknown, foreign or removed. */
export async function readHost(
  store: Pick<Tx, "get">,
  userId: string,
  hostId: string,
): Promise<Host> {
  const host = await store.get<Host>(keys.host(userId, hostId));
  if (!host) throw notFound("domain");
  return host;
}

/** Active mailboxes of the account on the domain. */
export async function countMailboxes(store: Pick<Tx, "get">, host: Host): Promise<number> {
  return await store.get<number>(keys.hostMailboxes(host.userId, host.name)) ?? 0;
}

/** Whether `userId` has proved `domain` and no check since has found the proof gone. */
export async function hasProved(
  store: Pick<Tx, "get">,
  userId: string,
  domain: string,
): Promise<boolean> {
  const claim = await store.get<HostClaim>(keys.hostVerified(domain));
  return claim?.userId === userId;
}

export function expectedRecords(host: Host, settings: Settings): ExpectedRecords {
  return { txt: host.verificationToken, mx: settings.MX_HOST };
}
