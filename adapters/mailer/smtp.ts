import { Buffer } from "node:buffer";
import nodemailer from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type {
  Envelope,
  Mailer,
  RecipientResult,
  SendOutcome,
  SendResult,
} from "../../domain/ports/mailer.ts";
import { SmtpPool } from "./smtp_pool.ts";
import {
  type Accepted,
  isAboutMessage,
  type SmtpFailure,
  type Transaction,
  type TransactionFailed,
  wantsLogin,
} from "./smtp_session.ts";

/**
 * Relays accept a few dozen connections of one client; if a relay accepts fewer, the mailer uses fewer. A message has a
 * transaction of one round trip for each recipient: fifty recipients over 25 connections wait for three round trips,
 * one recipient for two.
 */
const maxConnections = 25;
/** After this many failures in a row that are not about the message, its other recipients are not tried. */
const mostFaultsInARow = 10;
const connectTimeoutMs = 10_000;
/** RFC 5321 4.5.3.2 allows a server 10 minutes to answer the final dot; a job waits 2. */
const socketTimeoutMs = 120_000;

/** `FairTurns`, as far as it is used here. */
interface Turns {
  run<Value>(owner: string, work: () => Promise<Value>): Promise<Value>;
}

/**
 * A mailer that sends messages to a relay over pooled connections.
 *
 * @param name a host name for EHLO (RFC 5321 4.1.4); the machine's own often has no domain, and some relays refuse that
 * @param url `smtp://user:pass@host:port` (STARTTLS if the relay offers it) or `smtps://`; its query
 *   has options of nodemailer, such as `?requireTLS=true&tls.rejectUnauthorized=false`.
 * @param turnsOf how accounts take turns for so many transactions at once; absent: first come, first served
 */
export function createSmtpMailer(
  url: string,
  name: string,
  turnsOf: (slots: number) => Turns = () => ({ run: (_owner, send) => send() }),
): Mailer {
  const transport = nodemailer.createTransport({
    url,
    name,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
  });
  const { options, auth } = transport.transporter as unknown as SMTPTransport;
  const given = options as { maxConnections?: unknown; maxMessages?: unknown };
  const maxSessions = Number(given.maxConnections) || maxConnections;
  const pool = new SmtpPool({ connection: options, login: auth || undefined }, {
    maxSessions,
    maxMessages: Number(given.maxMessages) || Infinity,
  });
  // Twice as many, so that a connection has the next one before the answer to the last.
  const slots = 2 * maxSessions;
  const turns = turnsOf(slots);
  return {
    isOutbox: false,
    send: ({ owner, envelopes, raw }) => {
      const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
      const send = (transaction: Transaction) =>
        turns.run(owner, () => pool.send(transaction, bytes));
      return sendEach(envelopes, send, slots);
    },
    check: () => transport.verify().then(() => true, () => false),
    close: () => {
      pool.close();
      transport.close();
    },
  };
}

/**
 * Runs a transaction for the envelopes of each sender. `send` throws a TransactionFailed. After some failures in a row
 * that are not about the message the others are not tried: a relay that does not answer would hold the job for minutes.
 */
async function sendEach(
  envelopes: readonly Envelope[],
  send: (transaction: Transaction) => Promise<Accepted>,
  mostAtOnce: number,
): Promise<SendResult> {
  const results = new Map<Envelope, RecipientResult>();
  const transactions = [...Map.groupBy(envelopes, ({ from }) => from).values()];
  let next = 0, faultsInARow = 0;
  let fault: SmtpFailure | null = null;
  const note = (envelope: Envelope, failure: SmtpFailure) => {
    const recipient = envelope.to;
    const response = responseOf(failure);
    results.set(envelope, { recipient, outcome: outcomeOf(failure), response });
    if (!isAboutMessage(failure)) fault = failure;
  };
  const sendOne = async (group: readonly Envelope[]) => {
    const transaction = { from: group[0].from, to: group.map(({ to }) => to) };
    try {
      const { response, refused } = await send(transaction);
      for (const envelope of group) {
        const failure = refused.get(envelope.to);
        if (failure) note(envelope, failure);
        else results.set(envelope, { recipient: envelope.to, outcome: "sent", response });
      }
      faultsInARow = 0;
    } catch (error) {
      const { failure, refused } = error as TransactionFailed;
      for (const envelope of group) note(envelope, refused.get(envelope.to) ?? failure);
      faultsInARow = isAboutMessage(failure) ? 0 : faultsInARow + 1;
    }
  };
  const sendSome = async () => {
    while (next < transactions.length) {
      const group = transactions[next++];
      if (fault && faultsInARow >= mostFaultsInARow) {
        for (const each of group) note(each, fault);
      } else await sendOne(group);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, sendSome));
  const recipients = envelopes.map((envelope) => results.get(envelope)!);
  return { recipients, ...(fault ? { fault: faultText(fault) } : {}) };
}

function faultText({ code, message }: SmtpFailure): string {
  return `${code ?? "error"}: ${message}`.slice(0, 500);
}

/**
 * A 5xx is permanent only if it is about this message or this recipient. If the relay refuses the connection, the login
 * or TLS, the mail waits until the operator acts.
 */
function outcomeOf(failure: SmtpFailure): SendOutcome {
  const { responseCode = 0 } = failure;
  const isPermanent = responseCode >= 500 && responseCode !== 503;
  return isAboutMessage(failure) && isPermanent ? "permanent" : "temporary";
}

/** The text for the account, which must not learn the address and login of the relay. */
function responseOf(failure: SmtpFailure): string {
  if (isAboutMessage(failure)) return (failure.response ?? "").slice(0, 500);
  if (wantsLogin(failure)) return "the relay does not accept this service's login";
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
