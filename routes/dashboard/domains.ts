import { addDomain } from "../../domain/custom_domains/add_domain.ts";
import { deleteDomain } from "../../domain/custom_domains/delete_domain.ts";
import { listDomains } from "../../domain/custom_domains/list_domains.ts";
import { verifyDomain } from "../../domain/custom_domains/verify_domain.ts";
import { migrateMailboxes } from "../../domain/mailboxes/migrate_mailboxes.ts";
import type { RestRoute } from "../http/rest.ts";
import { inData, listIn } from "../http/envelopes.ts";

const domains = { family: "dashboard", tag: "Domains" } as const;
const params = { id: "domain_id" };

/** These routes accept a session only. */
export const domainRoutes: RestRoute[] = [
  {
    ...domains,
    method: "GET",
    path: "/api/domains",
    operation: listDomains,
    input: "none",
    envelope: listIn("domains"),
  },
  {
    ...domains,
    method: "POST",
    path: "/api/domains",
    operation: addDomain,
    input: "json",
    status: 201,
    envelope: inData,
  },
  {
    ...domains,
    method: "POST",
    path: "/api/domains/:id/verify",
    params,
    operation: verifyDomain,
    input: "none",
    envelope: inData,
  },
  {
    ...domains,
    method: "POST",
    path: "/api/domains/:id/migrate-mailboxes",
    params,
    operation: migrateMailboxes,
    input: "json",
    envelope: inData,
  },
  {
    ...domains,
    method: "DELETE",
    path: "/api/domains/:id",
    params,
    operation: deleteDomain,
    input: "none",
    envelope: inData,
  },
];
