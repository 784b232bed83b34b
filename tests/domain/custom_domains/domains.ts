import assert from "node:assert/strict";
import { sessionOf } from "../mailboxes/families.ts";
import type { TestAccount, TestService } from "../../service.ts";

export interface DomainBody {
  domain_id: string;
  domain_name: string;
  verification_token: string;
  verified: boolean;
  mx_configured: boolean;
  mailbox_count: number;
  dns_records: { type: string; name: string; value: string; required: boolean; status: string }[];
}

/** Adds a domain over HTTP. */
export async function addDomain(
  test: TestService,
  owner: TestAccount,
  domain: string,
): Promise<DomainBody> {
  const answer = await sessionOf(test, owner).call("POST", "/domains", { domain });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { data: DomainBody }).data;
}

export async function listDomains(test: TestService, owner: TestAccount) {
  const answer = await sessionOf(test, owner).call("GET", "/domains");
  assert.equal(answer.status, 200);
  return answer.body as { data: DomainBody[]; meta: Record<string, unknown> };
}

export function verifyDomain(test: TestService, owner: TestAccount, { domain_id }: DomainBody) {
  return sessionOf(test, owner).call("POST", `/domains/${domain_id}/verify`);
}

/** `verified` and `mx_configured` of the account's only domain, as the list shows them. */
export async function flagsOf(test: TestService, owner: TestAccount): Promise<[boolean, boolean]> {
  const [domain] = (await listDomains(test, owner)).data;
  return [domain.verified, domain.mx_configured];
}
