/**
 * Sends requests to URLs that strangers choose: signed bodies to webhook receivers, and reads of metadata documents of
 * apps. An implementation connects to public addresses only (except in development), follows no redirect, and ends at
 * the deadline.
 */
export interface WebhookTarget {
  /**
   * Sends one request and waits for the status. Never rejects: an error is a `WebhookFailure`.
   */
  post(request: WebhookPost): Promise<WebhookAnswer | WebhookFailure>;
  /** Reads a document. Never rejects: an error, or a document of more than `maxBytes`, is a `WebhookFailure`. */
  read(request: DocumentRequest): Promise<DocumentAnswer | WebhookFailure>;
  /**
   * Whether a URL may be a target: checks its text, then the present addresses of its name. A name that
   * does not resolve is accepted; its deliveries fail with the reason. `post` checks again.
   */
  check(url: string): Promise<TargetVerdict>;
}

export interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  /** The signed body. */
  body: string;
  /** For everything: name, connection, TLS, request, and the first 4 KiB of the answer. */
  timeoutMs: number;
}

export interface DocumentRequest {
  url: string;
  /** For everything: name, connection, TLS, request and answer. */
  timeoutMs: number;
  maxBytes: number;
}

/** The server answered, with any status; redirects are not followed. */
export interface DocumentAnswer {
  ok: true;
  status: number;
  body: string;
}

/** The receiver answered, with any status; redirects are not followed. */
export interface WebhookAnswer {
  ok: true;
  status: number;
  durationMs: number;
  /** The first 1,024 bytes of its body as text, for the owner of the webhook. Absent: not known. */
  answer?: string;
}

export interface WebhookFailure {
  ok: false;
  /** For the delivery log that the owner of the webhook reads. Never has text of the receiver. */
  message: string;
  /** The status, if it came before the answer broke off. */
  status: number | null;
  durationMs: number;
}

export type TargetVerdict = { ok: true } | { ok: false; reason: string };
