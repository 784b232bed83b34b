import type { Mailer, OutgoingMessage } from "../../domain/ports/mailer.ts";

/**
 * The mailer of a service without a relay (`SMTP_URL` unset): every message counts as sent, but goes nowhere. The
 * stored copies, listed with `direction: outbound`, are the outbox.
 */
export function createOutboxMailer(): Mailer {
  return {
    isOutbox: true,
    send: ({ envelopes }: OutgoingMessage) =>
      Promise.resolve({
        recipients: envelopes.map(({ to }) => ({
          recipient: to,
          outcome: "sent",
          response: "kept in the outbox, no relay is set",
        })),
      }),
    check: () => Promise.resolve(true),
    close: () => {},
  };
}
