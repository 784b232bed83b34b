import { Buffer, isAscii } from "node:buffer";
import { Readable } from "node:stream";
import nodemailer from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type {
  Envelope,
  Mailer,
  OutgoingMessage,
  RecipientResult,
  SendOutcome,
  SendResult,
} from "../../domain/ports/mailer.ts";
import { type RelayExtensions, relayExtensions } from "./relay_extensions.ts";
import { bufferOf } from "../../mime/text/buffer_of.ts";

/**
 * Relays accept a few dozen connections of one client; if a relay accepts fewer, the mailer uses fewer. A message has a
 * transaction for each recipient: fifty recipients over 25 connections wait for two transactions.
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

/** The fields of nodemailer's errors; each may be missing. */
interface SmtpFailure {
  message: string;
  code?: string;
  response?: string;
  responseCode?: number;
}

/** A sender and the recipients of one transaction (RFC 5321 3.3). nodemailer adds what became of it. */
interface Transaction {
  from: string;
  to: string[];
  /** `BODY=8BITMIME` (RFC 6152), if the relay knows it: without this it may refuse or change bytes above 127. */
  use8BitMime?: boolean;
  mailError?: unknown;
  /** A part of the message was sent, so the relay may have accepted it. */
  wasRead?: boolean;
  /** Absent if the transaction did not begin. */
  rejectedErrors?: readonly (SmtpFailure & { recipient: string })[];
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
  const common = {
    url,
    name,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
  };
  // This repeats a transaction itself: by the pool's count it could lose every try to other messages.
  const ofPool = { pool: true, maxConnections, maxMessages: Infinity, maxRequeues: 0 } as const;
  const pool = nodemailer.createTransport({ ...common, ...ofPool }).transporter as SMTPPool;
  const single = nodemailer.createTransport(common).transporter as SMTPTransport;
  const { options } = pool;
  const most = options.maxConnections = Number(options.maxConnections);
  options.maxMessages = Number(options.maxMessages);
  // Twice as many, so that a connection has the next one at once.
  const slots = 2 * most;
  const turns = turnsOf(slots);
  const relay = relayExtensions(options);
  let inFlight = 0;
  const send = async (transaction: Transaction, message: Message): Promise<string> => {
    const raw = await formOf(message, relay);
    transaction.use8BitMime = !isAscii(raw);
    inFlight++;
    try {
      return await sendOver(pool, transaction, raw, relay);
    } catch (error) {
      if (!mayRepeat(transaction, error as SmtpFailure)) throw error;
      // The relay has ended an idle connection, or one with its maximum of messages.
      if (transaction.rejectedErrors) return await sendOver(single, transaction, raw, relay);
      // The relay accepts no further connection: the open ones do the work, until nothing waits.
      options.maxConnections = 1;
      return await sendOver(pool, transaction, raw, relay);
    } finally {
      if (--inFlight === 0) options.maxConnections = most;
    }
  };
  return {
    isOutbox: false,
    send: (message) => {
      const { owner, envelopes } = message;
      const transactions = [...Map.groupBy(envelopes, ({ from }) => from).values()];
      const once = { ...message, forms: new Map() };
      return sendEach(
        envelopes,
        transactions,
        (transaction) => turns.run(owner, () => send(transaction, once)),
        slots,
      );
    },
    check: () => pool.verify().then(() => true, () => false),
    close: () => pool.close(),
  };
}

interface Message extends OutgoingMessage {
  /** Each is made once for all transactions; by whether the relay takes bytes above 127. */
  forms: Map<boolean, Promise<Uint8Array | null>>;
}

/** The bytes to send to this relay. Throws an SmtpFailure if it takes the message in no form (RFC 6152, section 3). */
async function formOf(message: Message, relay: RelayExtensions): Promise<Buffer> {
  const { raw, forms, formFor } = message;
  if (!formFor) return bufferOf(raw);
  const eightBit = await relay.eightBit();
  const made = forms.get(eightBit) ?? formFor({ eightBit });
  forms.set(eightBit, made);
  const form = await made;
  if (form) return bufferOf(form);
  const response =
    "554 5.6.3 the relay takes mail of 7 bits only, and this mail cannot be encoded so: it is signed, or malformed";
  throw Object.assign(new Error(response), { code: "EMESSAGE", response, responseCode: 554 });
}

/** Whether a connection was lost, or refused, before a byte of the message was sent. */
function mayRepeat(
  { wasRead, rejectedErrors }: Transaction,
  { code, response, responseCode }: SmtpFailure,
): boolean {
  const wasLost = rejectedErrors && response === undefined && code !== "ETIMEDOUT";
  return !wasRead && (responseCode === 421 || Boolean(wasLost));
}

/** Sends a message, byte for byte, in one transaction. Returns the relay's answer; rejects with an SmtpFailure. */
function sendOver(
  transport: SMTPPool | SMTPTransport,
  transaction: Transaction,
  raw: Buffer,
  relay: RelayExtensions,
): Promise<string> {
  transaction.mailError = undefined;
  const message = {
    getEnvelope: () => transaction,
    messageId: () => "",
    getHeader: () => "",
    createReadStream: () =>
      new Readable({
        read() {
          transaction.wasRead = true;
          this.push(raw);
          this.push(null);
        },
      }),
  };
  return new Promise((resolve, reject) =>
    transport.send(
      { data: {}, message } as unknown as Parameters<SMTPPool["send"]>[0],
      (error, info) => {
        if (error) return reject(error);
        relay.learn(info?.ehlo ?? []);
        resolve(info?.response ?? "");
      },
    )
  );
}

/**
 * Runs a transaction for the envelopes of each sender. `send` throws an SmtpFailure. After some failures in a row
 * that are not about the message the others are not tried: a relay that does not answer would hold the job for minutes.
 */
async function sendEach(
  envelopes: readonly Envelope[],
  transactions: readonly Envelope[][],
  send: (transaction: Transaction) => Promise<string>,
  mostAtOnce: number,
): Promise<SendResult> {
  const results = new Map<Envelope, RecipientResult>();
  let next = 0, faultsInARow = 0;
  let fault: SmtpFailure | null = null;
  const note = (envelope: Envelope, failure: SmtpFailure) => {
    const recipient = envelope.to;
    const response = responseOf(failure);
    results.set(envelope, { recipient, outcome: outcomeOf(failure), response });
    if (!isAboutMessage(failure)) fault = failure;
  };
  const sendOne = async (group: readonly Envelope[]) => {
    const transaction: Transaction = {
      from: group[0].from,
      to: group.map(({ to }) => to),
    };
    const refusalOf = ({ to }: Envelope) =>
      // If the sender was refused, the answers to the recipients say no more than that.
      transaction.mailError
        ? undefined
        : transaction.rejectedErrors?.find(({ recipient }) => recipient === to);
    try {
      const response = await send(transaction);
      for (const envelope of group) {
        const refusal = refusalOf(envelope);
        if (refusal) note(envelope, refusal);
        else results.set(envelope, { recipient: envelope.to, outcome: "sent", response });
      }
      faultsInARow = 0;
    } catch (error) {
      const failure = error as SmtpFailure;
      for (const envelope of group) note(envelope, refusalOf(envelope) ?? failure);
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

/** Whether the relay answered to this message, and does not want a login (RFC 4954 6) or TLS (RFC 3207 4) first. */
function isAboutMessage(failure: SmtpFailure): boolean {
  const { code, response } = failure;
  return (code === "EENVELOPE" || code === "EMESSAGE") && response !== undefined &&
    !wantsLogin(failure);
}

/** Whether the relay refuses every command until there is a login or TLS. */
function wantsLogin({ responseCode }: SmtpFailure): boolean {
  return responseCode === 530 || responseCode === 535 || responseCode === 538;
}
