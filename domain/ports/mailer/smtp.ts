import { Buffer } from "node:buffer";
import nodemailer from "nodemailer";
import {
  type Mailer,
  type OutgoingMessage,
  type RecipientResult,
  type SendOutcome,
  type SendResult,
  sendResult,
} from "./port.ts";

/** More connections than this slow a relay down rather than speed it up. */
const maxConnections = 5;
const connectTimeoutMs = 10_000;
/** RFC 5321 4.5.3.2 allows a server minutes to answer the final dot; a job waits for us. */
const socketTimeoutMs = 120_000;

/**
 * A mailer that hands messages to a relay over pooled connections.
 *
 * @param url `smtp://user:pass@host:port` (STARTTLS where the relay offers it) or `smtps://`;
 *   nodemailer's options as its query, such as `?requireTLS=true&tls.rejectUnauthorized=false`.
 */
export function createSmtpMailer(url: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections,
    // Nodemailer puts a message back in its queue only if no byte of it was read, that is, if an
    // idle connection turned out to be dead. More patience than that is the job's, not the pool's.
    maxRequeues: 1,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isOutbox: false,
    send: async ({ envelope, raw }) => {
      try {
        const info = await transport.sendMail({
          envelope: { from: envelope.from, to: [...envelope.to] },
          raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
        });
        return perRecipient(envelope, info.rejectedErrors ?? [], {
          outcome: "sent",
          response: info.response,
        });
      } catch (error) {
        const failure = asSmtpFailure(error);
        return perRecipient(envelope, failure.rejectedErrors ?? [], {
          outcome: outcomeOf(failure),
          response: responseOf(failure),
        });
      }
    },
    check: () => transport.verify().then(() => true, () => false),
    close: () => transport.close(),
  };
}

/** What nodemailer puts on its errors; every field may be missing. */
interface SmtpFailure {
  message: string;
  code?: string;
  response?: string;
  responseCode?: number;
  recipient?: string;
  rejectedErrors?: SmtpFailure[];
}

function perRecipient(
  envelope: OutgoingMessage["envelope"],
  refused: SmtpFailure[],
  rest: Pick<RecipientResult, "outcome" | "response">,
): SendResult {
  return sendResult(envelope.to.map((recipient) => {
    const own = refused.find((failure) => failure.recipient === recipient);
    return own
      ? { recipient, outcome: outcomeOf(own), response: responseOf(own) }
      : { recipient, ...rest };
  }));
}

/**
 * A 5xx is for good only where it speaks of this message or this recipient. A relay that refuses
 * the connection, the login or TLS is the operator's to mend, and the mail waits for it; so is 530
 * (authentication required) wherever it comes.
 */
function outcomeOf(failure: SmtpFailure): SendOutcome {
  const { code, responseCode = 0 } = failure;
  const aboutMessage = code === "EENVELOPE" || code === "EMESSAGE";
  const forGood = responseCode >= 500 && ![503, 530, 535, 538].includes(responseCode);
  return aboutMessage && forGood ? "permanent" : "temporary";
}

function responseOf(failure: SmtpFailure): string {
  return (failure.response ?? failure.message).slice(0, 500);
}

function asSmtpFailure(error: unknown): SmtpFailure {
  return error instanceof Error ? error : { message: String(error) };
}
