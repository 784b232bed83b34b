/** A floor of the house: a set of source files, and the floors that they may import, values and types alike. */
export interface Floor {
  name: string;
  /** Paths from the root: a folder ends in a slash. The longest match of all floors decides. */
  paths: readonly string[];
  /** The floors below that it may use. A floor that these use is included only if it is named here too. */
  uses: readonly string[];
  holds: string;
}

const ground = ["mime", "core", "store", "account"];
const domain = [...ground, "mail/record", "mail/receive", "mail/read", "fulltext"];
const rooms = ["mail/send", "mail/work", "search", "overview"];

/** From the ground up. A file may import its own floor and the floors in `uses`; nothing else of the project. */
export const floors: readonly Floor[] = [
  {
    name: "mime",
    paths: ["mime/"],
    uses: [],
    holds: "the message format: headers, bodies, composing",
  },
  { name: "fulltext", paths: ["fulltext/"], uses: [], holds: "a full-text index over SQLite" },
  {
    name: "archives",
    paths: ["archives/"],
    uses: [],
    holds: "mail files of other programs: mbox, Maildir, zip, tar; in a browser too",
  },
  {
    name: "client",
    paths: ["sdk/typescript/src/"],
    uses: [],
    holds: "the TypeScript client of the HTTP API",
  },
  {
    name: "dashboard",
    paths: ["dashboard/"],
    uses: ["archives"],
    holds: "the dashboard in the browser; uses the HTTP API",
  },
  {
    name: "core",
    paths: ["domain/core/", "domain/ports/"],
    uses: [],
    holds: "clock, ids, settings, operations, the Service; types of external services",
  },
  {
    name: "store",
    paths: ["domain/store/"],
    uses: ["core"],
    holds: "the database, every key, blobs, jobs",
  },
  {
    name: "adapters",
    paths: ["adapters/"],
    uses: ["mime", "fulltext", "core", "store"],
    holds: "what implements a port: DNS, SMTP, Stripe, vectors, the index",
  },
  {
    name: "account",
    paths: [
      "domain/accounts/",
      "domain/apps/",
      "domain/billing/",
      "domain/custom_domains/",
      "domain/mailboxes/",
      "domain/webhooks/",
      "domain/uploads/",
      "domain/changes/",
      "domain/activity/",
      "domain/audit/",
      "domain/health.ts",
    ],
    uses: ["mime", "core", "store"],
    holds:
      "users, keys, apps, plans, domains, mailboxes, webhooks, uploads, the journal; knows no mail",
  },
  {
    name: "mail/record",
    paths: ["domain/mail/record/", "domain/mail/lifecycle/"],
    uses: ground,
    holds: "the rows of an email, a send, a draft, a thread; every state and move of them",
  },
  {
    name: "mail/receive",
    paths: ["domain/mail/receive/"],
    uses: [...ground, "mail/record"],
    holds: "mail in, and the commit that stores it",
  },
  {
    name: "mail/read",
    paths: ["domain/mail/read/"],
    uses: [...ground, "mail/record", "fulltext"],
    holds: "lists, one email, attachments, codes and links",
  },
  {
    name: "mail/send",
    paths: ["domain/mail/send/", "domain/mail/conversations/"],
    uses: domain,
    holds:
      "send, reply, forward, drafts, approval, later, relay, bounces; conversations with what waits in them",
  },
  {
    name: "mail/work",
    paths: ["domain/mail/work/", "domain/mail/manage/", "domain/end_account/"],
    uses: domain,
    holds: "waiting, claims; read state, labels, deletion, retention, purge",
  },
  {
    name: "search",
    paths: ["domain/search/", "domain/indexing/"],
    uses: domain,
    holds: "asking the index, and filling it",
  },
  {
    name: "overview",
    paths: ["domain/overview/"],
    uses: domain,
    holds: "what people look at: the account, what needs a look, activity",
  },
  {
    name: "entrances",
    paths: ["routes/", "workers/", "commands/"],
    uses: [...domain, ...rooms, "archives", "client"],
    holds: "HTTP, MCP and SMTP; jobs; the command line",
  },
  {
    name: "main",
    paths: ["assemble.ts", "serve.ts", "main.ts"],
    uses: [...domain, ...rooms, "archives", "adapters", "entrances"],
    holds: "settings -> adapters -> Service; listen, signals",
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
