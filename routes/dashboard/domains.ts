import { addDomain } from "../../domain/custom_domains/add_domain.ts";
import { deleteDomain } from "../../domain/custom_domains/delete_domain.ts";
import { listDomains } from "../../domain/custom_domains/list_domains.ts";
import { verifyDomain } from "../../domain/custom_domains/verify_domain.ts";
import { migrateMailboxes } from "../../domain/mailboxes/migrate_mailboxes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { listIn } from "../http/envelopes.ts";

const row = rowsOf("/api/domains", {
  family: "dashboard",
  tag: "Domains",
  params: { id: "domain_id" },
});

/** These routes accept a session only. */
export const domainRoutes: RestRoute[] = [
  row("GET", "", listDomains, "none", { envelope: listIn("domains") }),
  row("POST", "", addDomain, "json", { status: 201 }),
  row("POST", "/:id/verify", verifyDomain, "none"),
  row("POST", "/:id/migrate-mailboxes", migrateMailboxes, "json"),
  row("DELETE", "/:id", deleteDomain, "none"),
];
