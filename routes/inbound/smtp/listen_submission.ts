import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { LoginGuard } from "../../../domain/accounts/login_guard.ts";
import { retryAfterSeconds } from "../../../domain/billing/windows.ts";
import { concatBytes } from "../../../domain/core/bytes.ts";
import { rateLimited, ServiceError, unavailable } from "../../../domain/core/errors.ts";
import { largestEmailBytes } from "../../../domain/core/plans.ts";
import type { Service } from "../../../domain/core/service.ts";
import { requireSize } from "../../../domain/mail/send/message_size.ts";
import { maxSendRecipients } from "../../../domain/mail/send/send_input.ts";
import {
  requireRecipient,
  submitMessage,
  type Taken,
} from "../../../domain/mail/send/submitted/submit_message.ts";
import { isAddressOf } from "../../../domain/mail/send/submitted/read_submitted.ts";
import { checkedAddress } from "../../../mime/headers/address_list.ts";
import { type Limit, MemoryShare } from "../../http/memory_share.ts";
import { SmtpLimits } from "./connection_limits.ts";
import { followLogin } from "./follow_login.ts";
import { confirmed, ended, type SignedIn, signIn } from "./sign_in.ts";
import {
  bytesOf,
  common,
  type Connection,
  connectionOf,
  openServer,
  type SmtpListener,
  type SmtpOptions,
  SmtpReply,
  tooManyConnections,
} from "./smtp_server.ts";
import { submissionReply } from "./submission_replies.ts";

/** A line of AUTH has an address and a key; a path has 256 octets. */
const maxCommandChars = 4_096;
/** Messages are in memory until they are stored. An account gets at most what is then free of it. */
const allMessages: Limit = { name: "all", bytes: 256 * 2 ** 20 };
const messagesOf = (userId: string): Limit => ({
  name: `account ${userId}`,
  bytes: 96 * 2 ** 20,
  within: allMessages,
});

/**
 * Takes mail of programs that log in with a mailbox's address and an API key (RFC 6409), and sends it by the rules of
 * `send_email`. With a certificate AUTH needs STARTTLS; without one it listens on loopback, whatever `hostname`.
 */
export function listenSubmission(service: Service, options: SmtpOptions): Promise<SmtpListener> {
  const guard = new LoginGuard(service, "smtp");
  const held = new Map<string, number>();
  /** By the ids of connections: what stops following their logins, and the message that is taken. */
  const logins = new Map<string, () => void>();
  const messages = new Map<string, Promise<unknown>>();
  const limits = new SmtpLimits(service.clock, (id) => {
    connectionOf(server, id)?.send(421, "4.4.2 No message for too long");
  });
  const server: SMTPServer = new SMTPServer({
    ...common,
    name: service.settings.MX_HOST,
    size: largestEmailBytes(service.plans),
    ...options.tls ?? { disabledCommands: ["STARTTLS"], allowInsecureAuth: true },
    authMethods: ["PLAIN", "LOGIN"],
    authRequiredMessage: "5.7.0 Log in first: AUTH PLAIN or LOGIN, after STARTTLS if it is offered",
    maxCommandLength: maxCommandChars,
    onConnect({ id, remoteAddress }, done) {
      const connection = connectionOf(server, id);
      if (connection && options.tls) hideLogin(connection);
      done(limits.enter(id, remoteAddress) ? null : tooManyConnections);
    },
    onClose({ id }) {
      limits.leave(id);
      logins.get(id)?.();
      logins.delete(id);
    },
    onAuth(login, session, done) {
      signIn(service, guard, login, session).then((user) => follow(session.id, user)).then(
        // deno-lint-ignore no-explicit-any -- smtp-server wants a text, and keeps what it gets
        (user) => done(null, { user: user as any }),
        (error) => {
          const reply = submissionReply(service, error);
          done(limits.mayBeRefused(session.id, true) ? reply : tooManyLogins);
        },
      );
    },
    onMailFrom({ address, args }, session, done) {
      answer(done, async () => {
        const { caller, mailbox } = await confirmed(service, userOf(session));
        if (!isAddressOf(mailbox, address)) throw wrongSender(mailbox.address);
        const { SIZE } = (args || {}) as { SIZE?: string };
        requireSize(service, caller, Number(SIZE ?? 0));
      });
    },
    onRcptTo({ address }, session, done) {
      answer(done, async () => {
        if (session.envelope.rcptTo.length >= maxSendRecipients) throw tooManyRecipients;
        const { mailbox } = await confirmed(service, userOf(session));
        const checked = checkedAddress(address);
        if (checked === null) throw malformed;
        await requireRecipient(service, mailbox, checked).catch((error) => {
          refusedOf(session).push(checked);
          throw limits.mayBeRefused(session.id, false) ? error : tooManyRefused;
        });
      });
    },
    onData(stream, session, done) {
      limits.begin(session.id);
      const taken = take(session, bytesOf(stream, (bytes) => limits.received(session.id, bytes)));
      messages.set(session.id, taken);
      taken.then(
        (reply) => {
          done(null, reply);
          limits.ended(session.id, true);
        },
        (error) => {
          // The rest is read and dropped, because a client reads the reply only after its last line.
          stream.resume();
          done(submissionReply(service, error));
          limits.ended(session.id, false);
        },
      ).finally(() => messages.delete(session.id));
    },
  });

  /** Ends the connection when its login ends: after the reply to a message that is taken, so that no client sends it again. */
  function follow(id: string, user: SignedIn): SignedIn {
    const end = () => connectionOf(server, id)?.send(ended.responseCode, ended.message);
    const endAfter = () => void (messages.get(id) ?? Promise.resolve()).then(end, end);
    // The client may have left meanwhile.
    if (connectionOf(server, id)) logins.set(id, followLogin(service, user, endAfter));
    return user;
  }

  /** Runs what decides about a command. */
  function answer(done: (error?: Error | null) => void, work: () => Promise<void>): void {
    work().then(() => done(), (error) => done(submissionReply(service, error)));
  }

  async function take(
    session: SMTPServerSession,
    body: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const { caller: { userId, plan } } = await confirmed(service, userOf(session));
    const share = new MemoryShare(held, [messagesOf(userId), allMessages], tooManyMessages);
    try {
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const piece of body) {
        share.add(piece.length);
        requireSize(service, { plan }, size += piece.length);
        pieces.push(piece);
      }
      // The key may have ended while the client wrote.
      const { caller, mailbox } = await confirmed(service, userOf(session));
      await countRequest(service, caller);
      const recipients = [
        ...new Set(session.envelope.rcptTo.map(({ address }) => checkedAddress(address)!)),
      ];
      const bytes = concatBytes(pieces, size);
      const transaction = { bytes, recipients, refused: refusedOf(session) };
      return replyTo(await submitMessage(service, caller, mailbox, transaction));
    } finally {
      share.release();
    }
  }

  const hostname = options.tls ? options.hostname : loopbackOf(options.hostname);
  return openServer(server, limits, { ...options, hostname }, service.log);
}

/** Takes AUTH out of the answer to EHLO before STARTTLS: smtp-server offers it, and then refuses it. */
function hideLogin(connection: Connection): void {
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    const isHidden = Array.isArray(text) && !connection.secure;
    send(code, isHidden ? text.filter((line) => !line.startsWith("AUTH ")) : text, context);
  };
}

/** Without a certificate keys would go over the network as they are. */
export function loopbackOf(hostname: string): string {
  return hostname === "::1" ? hostname : "127.0.0.1";
}

/** Throws RATE_LIMIT_EXCEEDED if the account or the key has no request left: a message is one. */
async function countRequest(
  { rateLimiter, clock }: Service,
  caller: Parameters<typeof submitMessage>[1],
): Promise<void> {
  const { passed, status } = await rateLimiter.admitCaller(caller, false);
  if (!passed) {
    throw rateLimited(status.limit, status.window, retryAfterSeconds(status, clock.now()));
  }
}

function userOf({ user }: SMTPServerSession): SignedIn | undefined {
  return user as unknown as SignedIn | undefined;
}

function replyTo({ as, id }: Taken): string {
  if (as === "held") return `2.6.0 held for approval: ${id}`;
  return as === "sent" ? `2.6.0 taken as ${id}` : `2.6.0 its recipients have had it: ${id}`;
}

/** The refused recipients of the transaction that the session is in; smtp-server makes a new envelope for each. */
function refusedOf({ envelope }: SMTPServerSession): string[] {
  const known = refusedRecipients.get(envelope) ?? [];
  refusedRecipients.set(envelope, known);
  return known;
}

const refusedRecipients = new WeakMap<SMTPServerSession["envelope"], string[]>();

const tooManyMessages = (): ServiceError =>
  unavailable("Too many messages at once; try again in a moment");
/** Replies with 421 end the connection. */
const tooManyLogins = new SmtpReply(421, "4.7.0 Too many failed logins on this connection");
const tooManyRefused = new SmtpReply(421, "4.7.0 Too many refused recipients");
const tooManyRecipients = new SmtpReply(
  452,
  `4.5.3 At most ${maxSendRecipients} recipients; send it to the others after`,
);
const malformed = new SmtpReply(550, "5.1.3 The address is malformed");
const wrongSender = (address: string) =>
  new SmtpReply(553, `5.7.1 The envelope sender must be ${address}, the mailbox that is logged in`);
