import { Buffer } from "node:buffer";
import nodemailer from "nodemailer";
import type {
  Mailer,
  OutgoingMessage,
  RecipientResult,
  SendOutcome,
} from "../../domain/ports/mailer.ts";

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
 * A 5xx is for good only where it speaks of this message or this recipient. A relay that refuses
 * the connection, the login or TLS is the operator's to mend, and the mail waits for it; so is 530
 * (authentication required) wherever it comes.
 */
function outcomeOf(failure: SmtpFailure): SendOutcome {
  const { responseCode = 0 } = failure;
  const forGood = responseCode >= 500 && ![503, 530, 535, 538].includes(responseCode);
  return isAboutMessage(failure) && forGood ? "permanent" : "temporary";
}

/** The relay answered to this message: its words may be shown. */
function isAboutMessage({ code, response }: SmtpFailure): boolean {
  return (code === "EENVELOPE" || code === "EMESSAGE") && response !== undefined;
}

/** What the account reads. Where the relay is, and how it is logged in to, is not its business. */
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
