import { Buffer } from "node:buffer";
import nodemailer from "nodemailer";
import type {
  Mailer,
  OutgoingMessage,
  RecipientResult,
  SendOutcome,
} from "../../domain/ports/mailer.ts";

/** More connections slow a relay down. */
const maxConnections = 5;
const connectTimeoutMs = 10_000;
/** RFC 5321 4.5.3.2 allows a server 10 minutes to answer the final dot; a job waits 2. */
const socketTimeoutMs = 120_000;

/**
 * A mailer that sends messages to a relay over pooled connections.
 *
 * @param url `smtp://user:pass@host:port` (STARTTLS if the relay offers it) or `smtps://`; its query
 *   has options of nodemailer, such as `?requireTLS=true&tls.rejectUnauthorized=false`.
 */
export function createSmtpMailer(url: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections,
    // Nodemailer queues a message again only if no byte of it was read: an idle connection was dead.
    // Any other retry is the job's.
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
        const result = perRecipient(envelope, failure.rejectedErrors ?? [], {
          outcome: outcomeOf(failure),
          response: responseOf(failure),
        });
        if (isAboutMessage(failure)) return result;
        return { ...result, fault: `${failure.code ?? "error"}: ${failure.message}`.slice(0, 500) };
      }
    },
    check: () => transport.verify().then(() => true, () => false),
    close: () => transport.close(),
  };
}

/** The fields of nodemailer's errors; each may be missing. */
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
): { recipients: RecipientResult[] } {
  const recipients = envelope.to.map((recipient) => {
    const own = refused.find((failure) => failure.recipient === recipient);
    return own
      ? { recipient, outcome: outcomeOf(own), response: responseOf(own) }
      : { recipient, ...rest };
  });
  return { recipients };
}

/**
 * A 5xx is permanent only if it is about this message or this recipient. If the relay refuses the
 * connection, the login or TLS, the operator must act and the mail waits; so it does after 530
 * (authentication required), whatever the command.
 */
function outcomeOf(failure: SmtpFailure): SendOutcome {
  const { responseCode = 0 } = failure;
  const isPermanent = responseCode >= 500 && ![503, 530, 535, 538].includes(responseCode);
  return isAboutMessage(failure) && isPermanent ? "permanent" : "temporary";
}

/** Whether the relay answered to this message, so that the account may see the answer. */
function isAboutMessage({ code, response }: SmtpFailure): boolean {
  return (code === "EENVELOPE" || code === "EMESSAGE") && response !== undefined;
}

/** The text for the account, which must not learn the address and login of the relay. */
function responseOf(failure: SmtpFailure): string {
  if (isAboutMessage(failure)) return (failure.response ?? "").slice(0, 500);
  switch (failure.code) {
    case "EAUTH":
    case "ENOAUTH":
    case "EOAUTH2":
      return "the relay does not accept this service's login";
    case "ETLS":
    case "EREQUIRETLS":
      return "no trusted encryption with the relay";
    case "ETIMEDOUT":
      return "the relay did not answer in time";
    default:
      return "the connection to the relay failed";
  }
}

function asSmtpFailure(error: unknown): SmtpFailure {
  return error instanceof Error ? error : { message: String(error) };
}
