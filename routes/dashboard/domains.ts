import { addHost } from "../../domain/custom_domains/add_domain.ts";
import { deleteHost } from "../../domain/custom_domains/delete_domain.ts";
import { listHosts } from "../../domain/custom_domains/list_domains.ts";
import { verifyHost } from "../../domain/custom_domains/verify_domain.ts";
import { migrateMailboxes } from "../../domain/mailboxes/migrate_mailboxes.ts";
import { type RestRoute } from "../http/rest.ts";
import { inData, listIn } from "../http/envelopes.ts";

const params = { id: "domain_id" };

/** SPEC.md, Domains: with a session only. */
export const domainRoutes: RestRoute[] = [
  {
    method: "GET",
    path: "/api/domains",
    operation: listHosts,
    input: "none",
    envelope: listIn("domains"),
  },
  {
    method: "POST",
    path: "/api/domains",
    operation: addHost,
    input: "json",
    status: 201,
    envelope: inData,
  },
  {
    method: "POST",
    path: "/api/domains/:id/verify",
    params,
    operation: verifyHost,
    input: "none",
    envelope: inData,
  },
  {
    method: "POST",
    path: "/api/domains/:id/migrate-mailboxes",
    params,
    operation: migrateMailboxes,
    input: "json",
    envelope: inData,
  },
  {
    method: "DELETE",
    path: "/api/domains/:id",
    params,
    operation: deleteHost,
    input: "none",
    envelope: inData,
  },
];
