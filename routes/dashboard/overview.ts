import { getAccount } from "../../domain/overview/get_account.ts";
import { getActivity } from "../../domain/overview/get_activity.ts";
import { getAttention } from "../../domain/overview/get_attention.ts";
import { searchWithReasons } from "../../domain/search/search_with_reasons.ts";
import { besideSuccess, fieldInData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/api", { family: "dashboard", tag: "Auth" });

/** Overviews for people, which agents do not need: sessions only. */
export const overviewRoutes: RestRoute[] = [
  row("GET", "/account", getAccount, "none"),
  row("GET", "/attention", getAttention, "none"),
  row("GET", "/activity", getActivity, "query", { envelope: fieldInData("activity") }),
  row("POST", "/search", searchWithReasons, "json", {
    tag: "Search",
    strict: true,
    envelope: besideSuccess,
  }),
];
