// What the operations answer that are being written beside this: each becomes an `Output<typeof ...>` of types.ts.
import type { Arrival } from "./types.ts";

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

export interface Draft {
  draft_id: string;
  mailbox_id: string;
  status: "draft" | "scheduled" | "pending_approval" | "sent" | "canceled" | "rejected";
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body_text: string | null;
  attachments: { filename: string; size: number }[];
  send_at: string | null;
  content_hash: string;
  reasons: { recipient: string; provenance: "own" | "known" | "listed" | "new"; code?: string }[];
  reject_reason: string | null;
  updated_at: string;
  truncated?: boolean;
}
