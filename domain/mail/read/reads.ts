import type { Service } from "../../core/service.ts";

/** What those who read mail use of the service. */
export type Reads = Pick<
  Service,
  "audit" | "clock" | "database" | "log" | "parsedBodies" | "parsing"
>;
