import { z } from "zod";
import { operation } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import * as keys from "../store/keys.ts";
import { type CustomDomain, domainRecord, domainRecordOf } from "./custom_domain.ts";

export const listDomains = operation({
  name: "list_domains",
  title: "List custom domains",
  description: "The account's custom domains, oldest first, and how many its plan allows.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    domains: z.array(domainRecord),
    plan: planField,
    domain_limit: z.number().int().nullable().describe("null: unlimited"),
    domain_count: z.number().int(),
    can_add_domain: z.boolean(),
  }),
  errors: [],
  async run(service, caller) {
    const rows = await service.database.collect<CustomDomain>({
      prefix: keys.customDomains(caller.userId),
    });
    const domains = rows.map((row) => row.value).sort((one, other) =>
      one.createdAt - other.createdAt || (one.domainId < other.domainId ? -1 : 1)
    );
    const counts = await service.database.getMany<number>(
      domains.map((domain) => keys.customDomainMailboxes(domain.userId, domain.name)),
    );
    const limit = service.plans[caller.plan].customDomains;
    return {
      domains: domains.map((domain, i) => domainRecordOf(domain, counts[i] ?? 0)),
      plan: caller.plan,
      domain_limit: limit,
      domain_count: domains.length,
      can_add_domain: limit === null || domains.length < limit,
    };
  },
});
