import type { Credentials } from "./accounts/credentials.ts";
import type { LoginGuard } from "./accounts/login_guard.ts";
import type { RateLimiter } from "./billing/rate_limit.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Dns } from "./ports/dns/port.ts";
import type { PlanTable } from "./plans.ts";
import type { Semantic } from "./search/semantic.ts";
import type { SearchIndex } from "./ports/search_index/port.ts";
import type { ParsePool } from "./mail/parse_pool.ts";
import type { Traffic } from "./mail/traffic.ts";
import type { Mailer } from "./ports/mailer/port.ts";
import type { Payments } from "./ports/payments/port.ts";
import type { WebhookTarget } from "./ports/webhook_target/port.ts";
import type { Settings } from "./settings.ts";
import type { Entries } from "./store/entries.ts";
import type { Jobs } from "./store/jobs.ts";

/** What an operation receives: the database, time, ids, and the ports to the outside. Built by main.ts and by tests. */
export interface Service {
  entries: Entries;
  jobs: Jobs;
  clock: Clock;
  ids: Ids;
  settings: Settings;
  plans: PlanTable;
  log: Log;
  searchIndex: SearchIndex;
  /** Search by meaning; null without an embedding provider. */
  semantic: Semantic | null;
  mailer: Mailer;
  /** null: billing is off. */
  payments: Payments | null;
  credentials: Credentials;
  loginGuard: LoginGuard;
  rateLimiter: RateLimiter;
  /** Mail on its way in, for which other work makes room. */
  traffic: Traffic;
  /** Reads messages, large ones in Workers. */
  parsing: ParsePool;
  dns: Dns;
  webhookTarget: WebhookTarget;
  /** When this process came up, ms since 1970. */
  startedAt: number;
  version: string;
}
