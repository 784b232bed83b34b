/** One broken rule: the request of a free account, and its complete failure. */
export interface BrokenRule {
  input: Record<string, unknown>;
  status: number;
  error: { code: string; message: string; details: Record<string, unknown> };
}

function rule(
  input: Record<string, unknown>,
  status: number,
  code: string,
  message: string,
  details: Record<string, unknown>,
): BrokenRule {
  return { input, status, error: { code, message, details } };
}

const characters =
  "The part before the @ may have letters, digits, '.', '_' and '-', and must not " +
  "begin or end with '.' or '-' or have '..'.";

/** Rules that only a body can break. */
export const brokenRequests: BrokenRule[] = [
  rule({ local_part: "agent.two" }, 400, "MISSING_FIELDS", "The field domain is required.", {
    fields: ["domain"],
  }),
  rule(
    { domain: "agents.test" },
    400,
    "MISSING_FIELDS",
    "One of local_part and email_address is required.",
    { fields: ["local_part", "email_address"] },
  ),
  rule(
    { email_address: "@agents.test", domain: "agents.test" },
    400,
    "BAD_REQUEST",
    "email_address has nothing before the @.",
    { email_address: "@agents.test" },
  ),
  rule(
    { local_part: "agent.two", email_address: "agent.three", domain: "agents.test" },
    400,
    "BAD_REQUEST",
    "local_part and email_address name two addresses.",
    { local_part: "agent.two", email_address: "agent.three" },
  ),
  rule(
    { email_address: "agent.two@other.test", domain: "agents.test" },
    422,
    "DOMAIN_MISMATCH",
    "The host of email_address is not the field domain.",
    { domain_expected: "agents.test", domain_in_request: "other.test" },
  ),
];

/** Rules that a name or its domain can break; `taken.one@agents.test` belongs to another account. */
export const brokenNames: BrokenRule[] = [
  rule(
    { local_part: " abcd ", domain: "agents.test" },
    422,
    "LOCAL_TOO_SHORT",
    "The part before the @ must have at least 5 characters.",
    { min_length: 5, actual_length: 4 },
  ),
  rule({ local_part: "-agent", domain: "agents.test" }, 422, "INVALID_LOCAL", characters, {
    local_part: "-agent",
  }),
  rule({ local_part: "agent.", domain: "agents.test" }, 422, "INVALID_LOCAL", characters, {
    local_part: "agent.",
  }),
  rule({ local_part: "agent..two", domain: "agents.test" }, 422, "INVALID_LOCAL", characters, {
    local_part: "agent..two",
  }),
  rule({ local_part: "agent+tag", domain: "agents.test" }, 422, "INVALID_LOCAL", characters, {
    local_part: "agent+tag",
  }),
  rule(
    { local_part: "a".repeat(65), domain: "agents.test" },
    422,
    "INVALID_LOCAL",
    "The part before the @ must have at most 64 characters.",
    { local_part: "a".repeat(64) },
  ),
  rule(
    { local_part: "Reserved", domain: "nobody.test" },
    422,
    "DISALLOWED_LOCAL",
    "This name is reserved.",
    { local_part: "reserved" },
  ),
  rule(
    { local_part: "agent.two", domain: "Nobody.test" },
    422,
    "DOMAIN_NOT_ALLOWED",
    "This plan has mailboxes on the shared domains only.",
    { domain: "nobody.test", plan: "free" },
  ),
  rule(
    { local_part: "TAKEN.one", domain: "agents.test" },
    409,
    "EMAIL_TAKEN",
    "This address is already taken.",
    { email_address: "taken.one@agents.test" },
  ),
];

/** A free account that has its five mailboxes asks for one more. */
export const brokenQuota: BrokenRule = rule(
  { local_part: "one-more", domain: "agents.test" },
  403,
  "MAILBOX_QUOTA",
  "The free plan has 5 mailboxes at most.",
  { count: 5, limit: 5, plan: "free" },
);
