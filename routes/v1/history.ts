import { listAudit } from "../../domain/audit/list_audit.ts";
import { listArrivals } from "../../domain/mail/receive/list_arrivals.ts";
import { listChanges } from "../../domain/mail/read/list_changes.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

/** What happened in an account: changes, who read and changed what, deliveries. */
export const historyRoutes: RestRoute[] = [
  {
    family: "v1",
    tag: "Changes",
    method: "GET",
    path: "/v1/api/changes",
    operation: listChanges,
    input: "query",
    envelope: pageIn("changes"),
  },
  {
    family: "v1",
    tag: "Audit",
    method: "GET",
    path: "/v1/api/audit",
    operation: listAudit,
    input: "query",
    envelope: pageIn("rows"),
  },
  {
    family: "v1",
    tag: "Emails",
    method: "GET",
    path: "/v1/api/arrivals",
    operation: listArrivals,
    input: "query",
    envelope: pageIn("arrivals"),
  },
];
