import { type ReverifyDomain, reverifyDomainJob } from "../domain/custom_domains/check_records.ts";
import { reverifyDomain } from "../domain/custom_domains/reverify_domain.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./dispatch.ts";

/** Each waits for the DNS, up to 10 s; a day is long enough for thousands at four at once. */
export const reverifyDomainWorker: Worker = {
  kind: reverifyDomainJob,
  concurrency: 4,
  run: (service, [job]) => reverifyDomain(service, job as Job<ReverifyDomain>),
};
