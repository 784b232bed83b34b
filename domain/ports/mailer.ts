/**
 * Sends mail to other hosts. Recipients that are mailboxes of this service do not come here: they are
 * delivered directly.
 */
export interface Mailer {
  /** True if nothing leaves the service: every message is `sent` as soon as it is stored. */
  readonly isOutbox: boolean;
  /**
   * Sends one message once to each recipient. Recipients with the same sender share a transaction, and so one upload; the
   * others have one of their own. Does not throw for a failure of the other side: the result has an outcome for each
   * recipient, also if a transaction is refused for some of its recipients only. A connection that is lost before the
   * answer is `temporary`; then it is unknown whether the message was accepted (RFC 5321 4.5.4.1, 6.1).
   */
  send(message: OutgoingMessage): Promise<SendResult>;
  /** Whether mail could be sent now: connects and authenticates, sends nothing. */
  check(): Promise<boolean>;
  /** Closes idle connections; messages in flight are finished. */
  close(): void;
}

export interface OutgoingMessage {
  /** The account that sends it. Accounts share the connections fairly. */
  owner: string;
  /** One for each recipient. */
  envelopes: readonly Envelope[];
  /** The message with CRLF line ends, sent byte for byte. */
  raw: Uint8Array;
  /**
   * Of a message that not every relay takes: the form to send in place of `raw`; null if there is none. Absent: every relay
   * takes `raw`.
   */
  formFor?(relay: { eightBit: boolean }): Promise<Uint8Array | null>;
}

/** RFC 5321 envelope, bare addresses; `from` is empty for the null reverse path. */
export interface Envelope {
  from: string;
  to: string;
}

/** The outcome for one recipient; `response` is the relay's answer, or a text for the account. */
export interface RecipientResult {
  recipient: string;
  outcome: SendOutcome;
  response: string;
}

export type SendOutcome = "sent" | "temporary" | "permanent";

export interface SendResult {
  /** In the order of the envelopes. */
  recipients: RecipientResult[];
  /** What is wrong with the relay or the way to it: for the operator's log, not for an account. */
  fault?: string;
}
