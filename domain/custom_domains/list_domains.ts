import { z } from "zod";
import type { DkimKey } from "../../mime/compose/dkim.ts";
import { operation } from "../core/operation.ts";
import { planField } from "../core/plans.ts";
import { readableRows } from "../core/work/skip_damaged.ts";
import * as keys from "../store/keys.ts";
import { type CustomDomain, domainWithRecords, domainWithRecordsOf } from "./custom_domain.ts";
import { loadZoneNames } from "./zone_names.ts";

export const listDomains = operation({
  name: "list_domains",
  title: "List custom domains",
  description: "The account's custom domains, oldest first, and how many its plan allows.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({
    domains: z.array(domainWithRecords),
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
    const zoneNames = await loadZoneNames();
    const readable = readableRows(service.log, rows, (domain) => {
      domainWithRecordsOf(domain, 0, null, service.settings, zoneNames);
      return domain;
    });
    const domains = readable.sort((one, other) =>
      one.createdAt - other.createdAt || (one.domainId < other.domainId ? -1 : 1)
    );
    const { database, settings } = service;
    const [counts, dkimKeys] = await Promise.all([
      database.getMany<number>(
        domains.map(({ userId, name }) => keys.customDomainMailboxes(userId, name)),
      ),
      database.getMany<DkimKey>(
        domains.map(({ userId, domainId }) => keys.dkimKey(userId, domainId)),
      ),
    ]);
    const limit = service.plans[caller.plan].customDomains;
    return {
      domains: domains.map((domain, i) =>
        domainWithRecordsOf(domain, counts[i] ?? 0, dkimKeys[i], settings, zoneNames)
      ),
      plan: caller.plan,
      domain_limit: limit,
      domain_count: domains.length,
      can_add_domain: limit === null || domains.length < limit,
    };
  },
});
