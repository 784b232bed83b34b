import { listChanges } from "../../domain/mail/reading/list_changes.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

export const changeRoutes: RestRoute[] = [
  {
    family: "v1",
    tag: "Changes",
    method: "GET",
    path: "/v1/api/changes",
    operation: listChanges,
    input: "query",
    envelope: pageIn("changes"),
  },
];
