// What the operations answer that are being written beside this: each becomes an `Output<typeof ...>` of types.ts.
import type { Arrival } from "./types.ts";

export interface Account {
  userId: string;
  name: string;
  email: string;
  plan: "free" | "pro" | "enterprise";
  createdAt: string;
  limits: Record<string, number | null>;
  baseUrl: string;
  mxHost: string;
  sharedDomains: string[];
  inboundHint: string | null;
}

export interface Attention {
  failed_deliveries: {
    webhook_id: string;
    url: string;
    count: number;
    last_error: string | null;
    at: string;
  }[];
  refused: { count: number; last: Arrival | null };
  failed_sends: number;
  pending: number;
  quotas: { what: string; used: number; limit: number }[];
}

export interface ActivityStep {
  at: string;
  received: number;
  sent: number;
  delivered: number;
  failed: number;
  searches: number;
  search_p95_ms: number | null;
}
