/** The folders and files of tests/ that `deno task test` runs in one isolate; the longest place that fits a file counts. */
export const suites = {
  account: ["domain", "thirty_one_days_test.ts"],
  commands: ["commands"],
  index: ["fulltext", "adapters", "domain/search", "domain/indexing"],
  mail: ["domain/mail", "option_pairs_test.ts", "mail_corpus"],
  mime: [
    ...["mime", "archives", "dashboard", "docs", "architecture", "bench", "examples", "release"],
    ...["contributing_test.ts", "deploy_files_test.ts", "requirements_test.ts"],
  ],
  routes: ["routes", "spine_test.ts"],
  contract: ["contract", "routes/http"],
  send: ["domain/mail/send"],
  starts: ["deploy_test.ts", "permissions_test.ts", "starts_test.ts", "sdk"],
  store: ["domain/store", "remote_kv"],
  workers: ["workers", "torture"],
} as const satisfies Record<string, readonly string[]>;

/**
 * What instances on one store share: `deno task test:two` runs these with two instances, `deno task nightly` the suites
 * too, except `single`.
 */
export const sharing = {
  /** Jobs, the journal, who waits for it, claims, webhooks. */
  work: [
    ...["workers", "domain/changes", "domain/mail/work", "domain/mail/work"],
    ...["domain/webhooks", "domain/mail/send", "domain/mail/send/drafts"],
  ],
  /** Windows of requests and quotas, caches of rows and credentials, indexes that are filled together. */
  rows: [
    ...["domain/billing", "domain/accounts", "domain/mailboxes", "domain/indexing"],
    ...["domain/mail/receive", "domain/mail/record/threads", "domain/end_account"],
  ],
  /** Every answer. */
  contract: ["contract", "routes/v1"],
} as const satisfies Record<string, readonly string[]>;

/** They need a single process or start processes and instances themselves, or have nothing to share. */
export const single: readonly string[] = [
  ...["architecture", "dashboard", "docs", "bench", "sdk", "commands", "torture", "release"],
  ...["adapters", "archives", "mime", "fulltext", "remote_kv", "domain/store", "mail_corpus"],
  ...["starts_test.ts", "permissions_test.ts", "deploy_test.ts", "deploy_files_test.ts"],
  ...["contributing_test.ts", "requirements_test.ts"],
  "domain/mail/work/workers_test.ts",
  "domain/search/builtin_service_test.ts",
  "workers/leases_test.ts",
  "workers/deadly_mail_test.ts",
  "routes/http/descriptors_test.ts",
  "routes/http/stop_test.ts",
  "routes/http/connections_test.ts",
  "routes/reference/named_schemas_test.ts",
  "domain/mail/read/parsing/parse_pool_test.ts",
  "domain/mail/read/attachments/attachment_memory_test.ts",
  "domain/accounts/passwords_test.ts",
  "domain/accounts/login_guard_test.ts",
];
