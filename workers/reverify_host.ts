import { type ReverifyHost, reverifyHostJob } from "../domain/hosts/check_host.ts";
import { reverifyHost } from "../domain/hosts/reverify_host.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./dispatch.ts";

/** Each waits for the DNS, up to 10 s; a day is long enough for thousands at four at once. */
export const reverifyHostWorker: Worker = {
  kind: reverifyHostJob,
  concurrency: 4,
  run: (service, [job]) => reverifyHost(service, job as Job<ReverifyHost>),
};
