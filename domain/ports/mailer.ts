/**
 * The way out for mail to other hosts. Recipients that are mailboxes of this service never come
 * here: they are delivered directly.
 */
export interface Mailer {
  /** True where nothing leaves the service: every message is `sent` as soon as it is stored. */
  readonly isOutbox: boolean;
  /**
   * Hands one message over, once. Never throws for what the other side does; what it did is in the
   * result, recipient by recipient. A connection that is lost before the answer came is
   * `temporary`: whether the message was taken is then unknown (RFC 5321 4.5.4.1, 6.1).
   */
  send(message: OutgoingMessage): Promise<SendResult>;
  /** Whether the way out could be used now: connects and authenticates, sends nothing. */
  check(): Promise<boolean>;
  /** Ends idle connections; messages in flight are finished. */
  close(): void;
}

export interface OutgoingMessage {
  /** RFC 5321 envelope, bare addresses; `from` is empty for the null reverse path. */
  envelope: { from: string; to: readonly string[] };
  /** The message, byte for byte, CRLF line ends. */
  raw: Uint8Array;
}

/** What became of a message for one recipient; `response` is the other side's words or ours. */
export interface RecipientResult {
  recipient: string;
  outcome: SendOutcome;
  response: string;
}

export type SendOutcome = "sent" | "temporary" | "permanent";

export interface SendResult {
  recipients: RecipientResult[];
  /** What is wrong with the way out itself: for the operator's log, not for an account. */
  fault?: string;
}
