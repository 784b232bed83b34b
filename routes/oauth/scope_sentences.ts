import type { Scope } from "../../domain/core/caller.ts";

/** What an app with a scope may do. The dashboard says the same under "Connected apps"; a test compares both. */
export const scopeSentences: Partial<Record<Scope, string>> = {
  "emails:read": "Read mail, its attachments and its codes",
  "emails:send": "Send and answer mail",
  "emails:write": "Mark, label and delete mail",
  "search": "Search the mail",
  "mailboxes:read": "See which mailboxes there are",
  "mailboxes:write": "Create, rename and delete mailboxes",
  "webhooks:write": "Have news of the mail posted to addresses of its choice",
  "audit:read": "See who read, sent and changed what",
};
