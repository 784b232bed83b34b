import type { Mailer, OutgoingMessage } from "../../domain/ports/mailer.ts";

/**
 * The mailer of a service without a relay (`SMTP_URL` unset): it takes every message and sends it
 * nowhere. The stored copy, listed with `direction: outbound`, is the outbox.
 */
export function createOutboxMailer(): Mailer {
  return {
    isOutbox: true,
    send: ({ envelope }: OutgoingMessage) =>
      Promise.resolve({
        recipients: envelope.to.map((recipient) => ({
          recipient,
          outcome: "sent",
          response: "kept in the outbox, no relay is set",
        })),
      }),
    check: () => Promise.resolve(true),
    close: () => {},
  };
}
