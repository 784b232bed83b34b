import { isIP } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { ServiceError } from "../../../domain/core/errors.ts";
import { exceptionFacts } from "../../http/failures.ts";
import {
  type DeliveryResult,
  maxEnvelopeRecipients,
} from "../../../domain/mail/receive/delivery.ts";
import { rejections } from "../../../domain/mail/receive/arrivals.ts";
import { receive } from "../../../domain/mail/receive/receive.ts";
import { checkRecipient } from "../../../domain/mail/receive/check_recipient.ts";
import { largestEmailBytes } from "../../../domain/core/plans.ts";
import type { Service } from "../../../domain/core/service.ts";
import type { SenderFacts } from "../../../domain/ports/sender_checks.ts";
import { SmtpTransaction } from "../../../domain/mail/receive/smtp_transaction.ts";
import { isHelo } from "../helo.ts";
import { SmtpLimits } from "./connection_limits.ts";
import { takeQuotedPaths } from "./quoted_paths.ts";
import {
  bytesOf,
  common,
  connectionOf,
  openServer,
  type SmtpListener,
  type SmtpOptions,
  SmtpReply,
  tooManyConnections,
} from "./smtp_server.ts";

/**
 * Receives mail over SMTP (RFC 5321). 250: the message is durable for every recipient. 452: for another transaction. 550:
 * the recipient is unknown, or its policy refuses the sender. 552: the message is too large or over a quota. 451: an
 * error of the server. It does not relay, stores the bytes of DATA unchanged, and ends a message only at CRLF.CRLF, never
 * at a bare LF.
 */
export function listenSmtp(service: Service, options: SmtpOptions): Promise<SmtpListener> {
  const limits = new SmtpLimits(service.clock, (id) => {
    connectionOf(server, id)?.send(421, "4.4.2 No message for too long");
  });
  const server = new SMTPServer({
    name: service.settings.MX_HOST,
    size: largestEmailBytes(service.plans),
    ...options.tls,
    disabledCommands: options.tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    authOptional: true,
    maxRecipients: maxEnvelopeRecipients,
    ...common,
    onConnect({ id, remoteAddress }, done) {
      const connection = connectionOf(server, id);
      if (connection) takeQuotedPaths(connection);
      done(limits.enter(id, remoteAddress) ? null : tooManyConnections);
    },
    onClose: ({ id }) => limits.leave(id),
    onRcptTo(address, session, done) {
      const attempt = {
        source: "smtp" as const,
        sender: reversePath(session),
        declaredSize: declaredSize(session),
      };
      checkRecipient(service, attempt, address.address, transactionOf(session)).then(
        (verdict) => {
          if (verdict === "known") return done();
          if (verdict === "later") return done(replies.later);
          const isUnknown = verdict === "UNKNOWN_RECIPIENT";
          if (limits.mayBeRefused(session.id, isUnknown)) return done(replies[verdict]);
          done(isUnknown ? tooManyUnknown : tooManyRefused);
        },
        (error) => done(replyTo(service, session, error)),
      );
    },
    onData(stream, session, done) {
      limits.begin(session.id);
      const body = bytesOf(stream, (bytes) => limits.received(session.id, bytes));
      takeMessage(service, body, session).then((reply) => {
        done(null, reply);
        limits.ended(session.id, true);
      }, (error) => {
        // The rest is read and dropped, because a client reads the reply only after its last line.
        stream.resume();
        done(error instanceof SmtpReply ? error : replyTo(service, session, error));
        limits.ended(session.id, false);
      });
    },
  });
  return openServer(server, limits, options, service.log);
}

/**
 * Some recipients have it. The sender repeats all: for these it is then a duplicate, and RCPT answers what stands against
 * the others.
 */
const notForAll = new SmtpReply(451, "4.2.0 Not taken for every recipient; send it again");
/** Replies with 421 end the connection. */
const tooManyUnknown = new SmtpReply(421, "4.7.0 Too many unknown recipients");
const tooManyRefused = new SmtpReply(421, "4.7.0 Too many refused recipients");
const replies = {
  UNKNOWN_RECIPIENT: new SmtpReply(550, "5.1.1 No such mailbox here"),
  BLOCKED: new SmtpReply(550, "5.7.1 The mailbox does not take mail from this sender"),
  OVER_QUOTA: new SmtpReply(552, "5.2.2 The mailbox is over its quota"),
  EMAIL_TOO_LARGE: new SmtpReply(552, "5.3.4 The message is too large"),
  /** RFC 5321 4.5.3.1.10: the sender repeats the recipient in another transaction. */
  later: new SmtpReply(
    452,
    "4.5.3 Not together with the recipients so far; send it to this one after",
  ),
  malformed: new SmtpReply(553, "5.1.3 The address is malformed"),
  foreign: new SmtpReply(550, "5.7.1 This server does not relay"),
};

async function takeMessage(
  service: Service,
  body: AsyncIterable<Uint8Array>,
  session: SMTPServerSession,
): Promise<string> {
  const results = await receive(service, {
    source: "smtp",
    sender: reversePath(session),
    recipients: session.envelope.rcptTo.map(({ address }) => address),
    ingestId: null,
    facts: peerOf(session),
    maxBytes: transactionOf(session).maxBytes,
    body,
  });
  const taken = results.find((each) => each.disposition !== "rejected");
  if (!taken) throw refusalOf(results);
  // Since RCPT a mailbox was deleted, a quota was used up or a list was changed.
  if (results.some((each) => each.disposition === "rejected")) throw notForAll;
  return `2.0.0 Taken as ${taken.email_id}`;
}

/** The recipients of the transaction that the session is in; smtp-server makes a new envelope for each. */
function transactionOf(session: SMTPServerSession): SmtpTransaction {
  const known = transactions.get(session.envelope);
  if (known) return known;
  const transaction = new SmtpTransaction(declaredSize(session));
  transactions.set(session.envelope, transaction);
  return transaction;
}

const transactions = new WeakMap<SMTPServerSession["envelope"], SmtpTransaction>();

function refusalOf(results: DeliveryResult[]): SmtpReply {
  const code = rejections.find((each) => results.some(({ code }) => code === each));
  return replies[code ?? "UNKNOWN_RECIPIENT"];
}

function replyTo(service: Service, session: SMTPServerSession, error: unknown): SmtpReply {
  if (error instanceof ServiceError) {
    if (error.code === "EMAIL_TOO_LARGE") return replies.EMAIL_TOO_LARGE;
    if (error.code === "BAD_REQUEST") return new SmtpReply(554, "5.6.0 The message is empty");
  } else service.log.error("smtp.failed", { ...exceptionFacts(error), session: session.id });
  return new SmtpReply(451, "4.3.0 Not now; try again");
}

/** A HELO that is not a host name is ignored. */
function peerOf({ remoteAddress, hostNameAppearsAs }: SMTPServerSession): SenderFacts {
  if (isIP(remoteAddress) === 0) return {};
  const helo = hostNameAppearsAs || "";
  return { peer: { ip: remoteAddress, helo: isHelo(helo) ? helo : null } };
}

function reversePath(session: SMTPServerSession): string {
  const from = session.envelope.mailFrom;
  return from ? from.address : "";
}

/** SIZE of MAIL FROM, which smtp-server has checked; 0 if there is none. */
function declaredSize(session: SMTPServerSession): number {
  const from = session.envelope.mailFrom;
  const args = from ? from.args as { SIZE?: unknown } | false : false;
  return args && typeof args.SIZE === "string" ? Number(args.SIZE) : 0;
}
