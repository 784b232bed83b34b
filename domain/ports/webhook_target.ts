/**
 * A webhook receiver as the service sees it: somewhere a signed body is posted, once a call.
 * Whoever implements this never connects to an address that is not public (unless it was built for
 * development), follows no redirect, and gives up at the deadline.
 */
export interface WebhookTarget {
  /**
   * Sends one request and waits for the answer's status. Never rejects: what goes wrong is a
   * `WebhookFailure`, because the next line decides whether to try again.
   */
  post(request: WebhookPost): Promise<WebhookAnswer | WebhookFailure>;
  /**
   * May this URL be a target? Judges the text, then the addresses the name has right now. A name
   * that does not resolve passes: its deliveries fail and say why. That a name passes promises
   * nothing about later: `post` judges again, the address that it connects to.
   */
  check(url: string): Promise<TargetVerdict>;
}

export interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  /** The body as signed; sent as it is. */
  body: string;
  /** For everything together: name, connection, TLS, request, whole answer (4 KiB of it). */
  timeoutMs: number;
}

/** The receiver answered, with whatever status; 3xx too, for redirects are not followed. */
export interface WebhookAnswer {
  ok: true;
  status: number;
  durationMs: number;
}

export interface WebhookFailure {
  ok: false;
  /** For the delivery log of the webhook's owner. Never repeats what the receiver sent. */
  message: string;
  /** The status line, where it came before the answer broke off. */
  status: number | null;
  durationMs: number;
}

export type TargetVerdict = { ok: true } | { ok: false; reason: string };
