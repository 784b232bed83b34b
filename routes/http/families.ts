/** A scheme of the OpenAPI document. */
export type Credential = "apiKey" | "accessToken" | "session" | "inboundToken" | "operatorToken";

interface FamilyRules {
  /** A path, or a base and everything below it (`/*`). */
  path: string;
  /** Every answer has the X-RateLimit headers. */
  showsLimits: boolean;
  /** Answers belong to an account or the operator: no cache may store them. */
  isPrivate: boolean;
  /** The credentials that routes of the family accept. */
  takes: readonly Credential[];
}

const agents = { showsLimits: true, isPrivate: true, takes: ["apiKey", "accessToken"] } as const;
const open = { showsLimits: false, isPrivate: false } as const;

/** Routes with the same credentials, limits and headers. Of several that match a path, the first is its family. */
export const families = {
  health: { ...agents, path: "/v1/api/health", isPrivate: false },
  mcp: { ...agents, path: "/v1/mcp" },
  v1: { ...agents, path: "/v1/*" },
  dashboard: { ...agents, path: "/api/*", takes: ["accessToken", "session"] },
  operator: { ...open, isPrivate: true, path: "/operator/*", takes: ["operatorToken"] },
  oauth: { ...open, isPrivate: true, path: "/oauth/*", takes: ["session"] },
  inbound: { ...open, path: "/inbound/*", takes: ["inboundToken"] },
  reference: { ...open, path: "/*", takes: [] },
} satisfies Record<string, FamilyRules>;

export type Family = keyof typeof families;

export function takes(family: Family, credential: Credential): boolean {
  return (families[family].takes as readonly Credential[]).includes(credential);
}

/** Each family with its path, or with the beginning of its paths, which ends with a slash. */
const places = (Object.keys(families) as Family[]).map((family) => {
  const { path } = families[family];
  const isBase = path.endsWith("/*");
  return { family, isBase, path: isBase ? path.slice(0, -1) : path };
});

/** The family of a path, even if no route has this path. The target of a CONNECT has no path: it is in the last family. */
export function familyOf(path: string): Family {
  const below = `${path}/`;
  return places.find((place) => place.isBase ? below.startsWith(place.path) : path === place.path)
    ?.family ?? "reference";
}

/** The families of account holders that serve mailboxes and keys, each under its base. */
export const apiBases = { v1: "/v1/api", dashboard: "/api" } as const;

/** The groups of the reference in its order, each with a line about it. */
export const tags = {
  Service: "Whether the service works",
  Search: "Find mail by its content",
  Emails: "Mail that came in and went out",
  Drafts: "Mail that is not sent yet: drafts, later, approval",
  Waiting: "Mail that is about to come",
  Changes: "What changed in the account, in order",
  Audit: "Who read, sent and changed what",
  Mailboxes: "Addresses that receive mail",
  Webhooks: "Who receives events",
  Events: "What is posted to webhooks",
  "API keys": "Credentials for agents",
  MCP: "The same operations as tools for a model",
  Auth: "Accounts and sessions",
  People: "Who belongs to an account, and what they may do",
  Apps: "Apps that people allowed",
  Domains: "Custom mail domains",
  Billing: "Plans and payments",
  Inbound: "Where mail comes in",
  Operator: "For the operator of the service",
  Reference: "This document",
} as const;

/** What every route has: its family and its group in the reference. */
export interface RouteGroup {
  family: Family;
  tag: keyof typeof tags;
}
