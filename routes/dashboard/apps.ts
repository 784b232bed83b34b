import { listApps, revokeApp } from "../../domain/apps/list_apps.ts";
import { fieldInData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/api/apps", { family: "dashboard", tag: "Apps" });

export const appRoutes: RestRoute[] = [
  row("GET", "", listApps, "none", { envelope: fieldInData("apps") }),
  row("DELETE", "/:grant_id", revokeApp, "none"),
];
