import { listAudit } from "../../domain/audit/list_audit.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

export const auditRoutes: RestRoute[] = [
  {
    family: "v1",
    tag: "Audit",
    method: "GET",
    path: "/v1/api/audit",
    operation: listAudit,
    input: "query",
    envelope: pageIn("rows"),
  },
];
