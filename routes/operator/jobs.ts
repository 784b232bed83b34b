import { deleteJob, listJobs, retryJob } from "../../domain/store/operate_jobs.ts";
import { pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const row = rowsOf("/operator/jobs", {
  family: "operator",
  tag: "Operator",
  params: { id: "job_id" },
});

/** Background jobs and dead letters. They require the operator's token. */
export const jobRoutes: RestRoute[] = [
  row("GET", "", listJobs, "query", { envelope: pageIn("jobs") }),
  row("POST", "/:id/retry", retryJob, "none"),
  row("DELETE", "/:id", deleteJob, "none"),
];
