import { isIP } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { ServiceError } from "../../../domain/core/errors.ts";
import { describeError } from "../../../domain/core/log.ts";
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
import { type ParsesPaths, takeQuotedPaths } from "./quoted_paths.ts";
import type { TlsPair } from "./tls_pair.ts";

/** An open listener. */
export interface SmtpListener {
  port: number;
  /** Accepts no new connection; messages in transfer have 3 s to end. */
  close(): Promise<void>;
  /** Closes the port and opens it again; open connections stay. */
  listenAgain(): Promise<void>;
  /** The key and certificate of connections from now on; only for a listener that was opened with some. */
  useTls(pair: TlsPair): void;
}

export interface SmtpOptions {
  hostname: string;
  /** 0: any free port. */
  port: number;
  /** PEM texts; without them STARTTLS is not offered. */
  tls?: TlsPair;
}

const maxClients = 500;
/** RFC 5321, section 4.5.3.2, recommends 5 minutes; with few sockets the server must wait less. */
const idleMs = 60_000;
const closeMs = 3_000;

/**
 * Receives mail over SMTP (RFC 5321). 250: the message is durable for every recipient. 452: for another transaction. 550:
 * the recipient is unknown, or its policy refuses the sender. 552: the message is too large or over a quota. 451: an
 * error of the server. It does not relay, stores the bytes of DATA unchanged, and ends a message only at CRLF.CRLF, never
 * at a bare LF.
 */
export function listenSmtp(service: Service, options: SmtpOptions): Promise<SmtpListener> {
  const limits = new SmtpLimits(service.clock, (id) => {
    connectionOf(id)?.send(421, "4.4.2 No message for too long");
  });
  const connectionOf = (id: string) =>
    (server.connections as Set<Connection>).values().find(({ session }) => session.id === id);
  const server = new SMTPServer({
    name: service.settings.MX_HOST,
    banner: "Letterbox",
    size: largestEmailBytes(service.plans),
    ...options.tls,
    disabledCommands: options.tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
    authOptional: true,
    disableReverseLookup: true,
    maxClients,
    maxRecipients: maxEnvelopeRecipients,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    logger: false,
    onConnect({ id, remoteAddress }, done) {
      const connection = connectionOf(id);
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
  // It is normal that clients break connections off.
  server.on(
    "error",
    (error: Error) => service.log.debug("smtp.connection_failed", { error: describeError(error) }),
  );
  return new Promise((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      const address = server.server.address();
      const port = address !== null && typeof address === "object" ? address.port : options.port;
      resolve({
        port,
        close: () =>
          new Promise((closed) => {
            limits.end();
            server.close(() => closed());
          }),
        listenAgain: () =>
          new Promise((listening, failed) => {
            server.server.close();
            server.server.once("error", failed);
            server.listen(port, options.hostname, () => {
              server.server.off("error", failed);
              listening();
            });
          }),
        useTls: (pair) => server.updateSecureContext({ ...pair }),
      });
    });
  });
}

/** The parts of a connection of smtp-server that are used. */
interface Connection extends ParsesPaths {
  session: SMTPServerSession;
  send(code: number, text: string): void;
}

/** A reply other than 250, with the status code of RFC 3463 in its text. */
class SmtpReply extends Error {
  constructor(readonly responseCode: number, text: string) {
    super(text);
  }
}

/**
 * Some recipients have it. The sender repeats all: for these it is then a duplicate, and RCPT answers what stands against
 * the others.
 */
const notForAll = new SmtpReply(451, "4.2.0 Not taken for every recipient; send it again");
/** Replies with 421 end the connection. */
const tooManyConnections = new SmtpReply(421, "4.7.0 Too many connections from your address");
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

/** The pieces of the stream. A reader that stops does not destroy it: the rest of DATA must be read before the reply. */
async function* bytesOf(
  stream: SMTPServerDataStream,
  received: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    received(piece.length);
    yield piece;
  }
}

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
