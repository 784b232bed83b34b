/** A floor of the house: a set of source files, and the floors whose values they may import. Types are free. */
export interface Floor {
  name: string;
  /** Paths from the root: a folder ends in a slash. The longest match of all floors decides. */
  paths: readonly string[];
  /** The floors below that it may use. A floor that these use is included only if it is named here too. */
  uses: readonly string[];
  holds: string;
}

const rules = ["core", "store", "core/errors", "core/log", "core/host_name", "core/threads"];
const records = [
  "activity",
  "audit",
  "accounts",
  "billing",
  "custom_domains",
  "changes",
  "mailboxes",
  "webhooks",
  "mime",
];
const mail = [
  "mail/record",
  "mail/lifecycle",
  "mail/threads",
  "mail/store_email",
  "mail/reading",
  "mail/inbound",
  "mail/outbound",
];
const domain = [
  ...rules,
  ...records,
  ...mail,
  "mail/waiting",
  "mail/triage",
  "mail/claims",
  "mail/drafts",
  "mail/sending",
  "mail/purge",
  "end_account",
  "search",
  "indexing",
  "overview",
  "health",
];

/** From the ground up. A file may import its own floor and the floors in `uses`; nothing else of the project. */
export const floors: readonly Floor[] = [
  {
    name: "mime",
    paths: ["mime/"],
    uses: [],
    holds: "the message format: headers, bodies, composing",
  },
  {
    name: "fulltext",
    paths: ["fulltext/"],
    uses: [],
    holds: "a full-text index over SQLite",
  },
  {
    name: "dashboard",
    paths: ["dashboard/"],
    uses: [],
    holds: "the dashboard in the browser; uses the HTTP API",
  },
  {
    name: "ports",
    paths: ["domain/ports/"],
    uses: [],
    holds: "types of external services, one file for each port",
  },
  { name: "core/errors", paths: ["domain/core/errors.ts"], uses: [], holds: "the error codes" },
  {
    name: "core/threads",
    paths: [
      "domain/core/work/worker_thread.ts",
      "domain/core/work/spare_descriptors.ts",
      "domain/core/work/idle_memory.ts",
      "domain/core/work/fair_turns.ts",
      "domain/core/work/recent_work.ts",
    ],
    uses: [],
    holds: "a Worker with a deadline, the memory of a thread, turns",
  },
  { name: "core/log", paths: ["domain/core/log.ts"], uses: [], holds: "log events" },
  {
    name: "core/host_name",
    paths: ["domain/core/host_name.ts"],
    uses: [],
    holds: "the one reading of a domain",
  },
  {
    name: "core",
    paths: ["domain/core/"],
    uses: ["ports", "core/errors", "core/log", "core/host_name"],
    holds: "clock, ids, settings, plans, operations, the Service",
  },
  {
    name: "store",
    paths: ["domain/store/"],
    uses: ["core", "core/errors", "core/log", "core/threads"],
    holds: "the database, every key, blobs, jobs",
  },
  {
    name: "accounts",
    paths: ["domain/accounts/"],
    uses: rules,
    holds: "users, sessions, API keys",
  },
  {
    name: "billing",
    paths: ["domain/billing/"],
    uses: [...rules, "ports", "accounts"],
    holds: "plans, usage, request limits, Stripe events",
  },
  {
    name: "custom_domains",
    paths: ["domain/custom_domains/"],
    uses: [...rules, "mime", "accounts"],
    holds: "domains proved by DNS",
  },
  {
    name: "changes",
    paths: ["domain/changes/"],
    uses: rules,
    holds: "what changed in an account, in order",
  },
  {
    name: "activity",
    paths: ["domain/activity/"],
    uses: rules,
    holds: "how much happened in an account, by hour and day",
  },
  {
    name: "audit",
    paths: ["domain/audit/"],
    uses: rules,
    holds: "who read and changed what",
  },
  {
    name: "mailboxes",
    paths: ["domain/mailboxes/"],
    uses: [...rules, "accounts", "custom_domains", "changes"],
    holds: "addresses and mailboxes",
  },
  {
    name: "webhooks",
    paths: ["domain/webhooks/"],
    uses: [...rules, "activity", "accounts", "changes"],
    holds: "events out; knows no mail",
  },
  {
    name: "mail/record",
    paths: ["domain/mail/record/"],
    uses: [...rules, ...records],
    holds: "the email, its rows, its events",
  },
  {
    name: "mail/lifecycle",
    paths: [
      "domain/mail/lifecycle/",
      // What its moves write.
      "domain/mail/outbound/addresses/known_recipients.ts",
      "domain/mail/outbound/addresses/address_pages.ts",
      "domain/mail/outbound/idempotency.ts",
      "domain/mail/outbound/content_hash.ts",
    ],
    uses: [...rules, ...records, "mail/record"],
    holds: "every state and move of an email's processing, a send and a draft, and what follows",
  },
  {
    name: "mail/threads",
    paths: ["domain/mail/threads/"],
    uses: [...rules, ...records, "mail/record"],
    holds: "which mail belongs together",
  },
  {
    name: "mail/store_email",
    paths: ["domain/mail/store_email.ts"],
    uses: [...rules, ...records, "mail/record", "mail/lifecycle", "mail/threads"],
    holds: "the rows of an email in one commit",
  },
  {
    name: "mail/reading",
    paths: ["domain/mail/reading/"],
    uses: [...rules, ...records, ...mail.slice(0, 4), "fulltext"],
    holds: "lists, one email, attachments, raw",
  },
  {
    name: "mail/waiting",
    paths: ["domain/mail/waiting/"],
    uses: [...rules, ...records, ...mail.slice(0, 5)],
    holds: "waiting for mail",
  },
  {
    name: "mail/inbound",
    paths: ["domain/mail/inbound/"],
    uses: [...rules, ...records, ...mail.slice(0, 5)],
    holds: "mail in",
  },
  {
    name: "mail/triage",
    paths: ["domain/mail/triage/"],
    uses: [...rules, ...records, "mail/record", "mail/reading"],
    holds: "read state, labels, deletion",
  },
  {
    name: "mail/claims",
    paths: ["domain/mail/claims/"],
    uses: [...rules, ...records, "mail/record", "mail/reading", "mail/triage", "mail/waiting"],
    holds: "workers share a mailbox",
  },
  {
    name: "mail/outbound",
    paths: ["domain/mail/outbound/"],
    uses: [...rules, ...records, ...mail.slice(0, 6)],
    holds: "mail out",
  },
  {
    name: "mail/drafts",
    paths: ["domain/mail/drafts/"],
    uses: [...rules, ...records, ...mail],
    holds: "drafts, approval, sending later",
  },
  {
    name: "mail/sending",
    paths: ["domain/mail/sending/"],
    uses: [...rules, ...records, ...mail, "mail/drafts"],
    holds: "send, reply, forward: now, later or approved",
  },
  {
    name: "mail/purge",
    paths: ["domain/mail/purge_mailbox.ts", "domain/mail/development_stores.ts"],
    uses: [...rules, ...records, ...mail, "mail/waiting", "mail/drafts"],
    holds: "removes a mailbox's mail, brings an old store forward",
  },
  {
    name: "end_account",
    paths: ["domain/end_account/"],
    uses: [...rules, ...records, ...mail, "ports", "mail/purge"],
    holds: "the end of an account",
  },
  {
    name: "search",
    paths: ["domain/search/"],
    uses: [...rules, ...records, "ports", "mail/record", "mail/reading", "fulltext"],
    holds: "asking the index",
  },
  {
    name: "indexing",
    paths: ["domain/indexing/"],
    uses: [...rules, ...records, ...mail, "ports", "search", "fulltext"],
    holds: "filling the index",
  },
  {
    name: "overview",
    paths: ["domain/overview/"],
    uses: [...rules, ...records, ...mail],
    holds: "what people look at: the account, what needs a look, activity",
  },
  { name: "health", paths: ["domain/health.ts"], uses: rules, holds: "is it alive" },
  {
    name: "adapters",
    paths: ["adapters/"],
    uses: [
      "ports",
      "mime",
      "fulltext",
      "core/errors",
      "core/log",
      "core/host_name",
      "core/threads",
    ],
    holds: "what implements a port: DNS, SMTP, Stripe, vectors, the index",
  },
  { name: "workers", paths: ["workers/"], uses: domain, holds: "runs jobs" },
  { name: "routes", paths: ["routes/"], uses: domain, holds: "HTTP, MCP and SMTP" },
  { name: "commands", paths: ["commands/"], uses: domain, holds: "the command line" },
  {
    name: "assemble",
    paths: ["assemble.ts"],
    uses: [...domain, "ports", "fulltext", "adapters"],
    holds: "settings -> adapters -> Service",
  },
  {
    name: "serve",
    paths: ["serve.ts"],
    uses: [...domain, "assemble", "routes", "workers", "commands"],
    holds: "listen, jobs, signals",
  },
  {
    name: "main",
    paths: ["main.ts"],
    uses: [...domain, "assemble", "serve", "commands"],
    holds: "chooses the command",
  },
];

/** The floor of a file, by its longest matching path; null if no floor has it. */
export function floorOf(path: string): Floor | null {
  let found: Floor | null = null, length = 0;
  for (const floor of floors) {
    for (const each of floor.paths) {
      const matches = each.endsWith("/") ? path.startsWith(each) : path === each;
      if (matches && each.length > length) [found, length] = [floor, each.length];
    }
  }
  return found;
}
