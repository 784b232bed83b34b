import { listThreads } from "../../domain/mail/read/views/list_threads.ts";
import { getAccount } from "../../domain/overview/get_account.ts";
import { getActivity } from "../../domain/overview/get_activity.ts";
import { getAttention } from "../../domain/overview/get_attention.ts";
import { searchWithReasons } from "../../domain/search/search_with_reasons.ts";
import { besideSuccess, fieldInData, inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const overview = { family: "dashboard", method: "GET" } as const;

/** Overviews for people, which agents do not need: sessions only. */
export const overviewRoutes: RestRoute[] = [
  {
    ...overview,
    tag: "Auth",
    path: "/api/account",
    operation: getAccount,
    input: "none",
    envelope: inData,
  },
  {
    ...overview,
    tag: "Auth",
    path: "/api/attention",
    operation: getAttention,
    input: "none",
    envelope: inData,
  },
  {
    ...overview,
    tag: "Auth",
    path: "/api/activity",
    operation: getActivity,
    input: "query",
    envelope: fieldInData("activity"),
  },
  {
    ...overview,
    tag: "Emails",
    path: "/api/threads",
    operation: listThreads,
    input: "query",
    envelope: pageIn("threads"),
  },
  {
    ...overview,
    tag: "Search",
    method: "POST",
    path: "/api/search",
    operation: searchWithReasons,
    input: "json",
    strict: true,
    envelope: besideSuccess,
  },
];
