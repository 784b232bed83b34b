import { addHost } from "../../domain/hosts/add_host.ts";
import { deleteHost } from "../../domain/hosts/delete_host.ts";
import { listHosts } from "../../domain/hosts/list_hosts.ts";
import { verifyHost } from "../../domain/hosts/verify_host.ts";
import { migrateMailboxes } from "../../domain/mailboxes/migrate_mailboxes.ts";
import { inData, listIn, type RestRoute } from "../rest.ts";

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
