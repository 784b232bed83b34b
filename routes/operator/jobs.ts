import { deleteJob, listJobs, retryJob } from "../../domain/store/operate_jobs.ts";
import { inData, pageIn } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";

const params = { id: "job_id" };

/** Background jobs and dead letters. They require the operator's token. */
export const jobRoutes: RestRoute[] = [
  {
    method: "GET",
    family: "operator",
    tag: "Operator",
    path: "/operator/jobs",
    operation: listJobs,
    input: "query",
    envelope: pageIn("jobs"),
  },
  {
    method: "POST",
    family: "operator",
    tag: "Operator",
    path: "/operator/jobs/:id/retry",
    operation: retryJob,
    input: "none",
    params,
    envelope: inData,
  },
  {
    method: "DELETE",
    family: "operator",
    tag: "Operator",
    path: "/operator/jobs/:id",
    operation: deleteJob,
    input: "none",
    params,
    envelope: inData,
  },
];
