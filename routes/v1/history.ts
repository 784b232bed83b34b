import { listAudit } from "../../domain/audit/list_audit.ts";
import { listArrivals } from "../../domain/mail/receive/list_arrivals.ts";
import { listChanges } from "../../domain/mail/read/list_changes.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/v1/api", { family: "v1", tag: "Changes" });

/** What happened in an account: changes, who read and changed what, deliveries. */
export const historyRoutes: RestRoute[] = [
  row("GET", "/changes", listChanges, "query", { envelope: pageIn("changes") }),
  row("GET", "/audit", listAudit, "query", { tag: "Audit", envelope: pageIn("rows") }),
  row("GET", "/arrivals", listArrivals, "query", { tag: "Emails", envelope: pageIn("arrivals") }),
];
