// The texts of the search; see ../../words.ts.
import { plural } from "../../words.ts";

export const searchWords = {
  lead: "By meaning, as your agent searches; words, names and numbers are found literally too.",
  placeholder: "the invoice that was paid twice",
  box: "Search for",
  filters: (n: number) => n > 0 ? `Filters ${n}` : "Filters",
  applied: "Filters in use",
  allMailboxes: "All mailboxes",
  names: {
    from: "From",
    to: "To",
    subject: "Subject",
    label: "Label",
    date_from: "After",
    date_to: "Before",
    mailbox_id: "Mailbox",
  },
  hints: { from: "ada@ or example.net", to: "support@", subject: "part of it", label: "invoice" },
  bands: { high: "Highly relevant", very: "Very relevant", mid: "Moderate", low: "Weak" },
  foundBy: (ways: readonly string[]) => `found by ${ways.join(", ")}`,
  matches: (n: number, shown: string) => `${shown} ${n === 1 ? "match" : "matches"}`,
  pending: (n: string) => `${n} not indexed yet`,
  degraded: "not everything was searched",
  used: (used: string, limit: string) => `${used} of ${limit} searches this month`,
  nothing: "Nothing found",
  without: (name: string) => `Without the filter “${name}”`,
  wouldMatch: (n: number) => `${plural(n, "match", "matches")}`,
  pendingReason: (n: string) =>
    `${n} messages came in and are not indexed yet: they are found in a moment.`,
  degradedReason:
    "Only exact words, or only a part of the mail, were searched: a part of the search does not answer, or its index is being rebuilt.",
  refusedReason: "Mail that was refused is not searched:",
  seeRefused: "see what was refused",
  scopeReason: "Sent mail is searched too; mail of deleted mailboxes is not.",
};
