import { type Buffer, isAscii } from "node:buffer";
import type { Duplex } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
type ConnectionOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]>;
export type Login = Parameters<SMTPConnection["login"]>[0];

export interface SessionOptions {
  connection: ConnectionOptions;
  /** Absent: no login. */
  login?: Login;
}

/** A sender and the recipients of one transaction (RFC 5321 3.3). */
export interface Transaction {
  from: string;
  to: readonly string[];
}

/** The fields of nodemailer's errors; each may be missing. */
export interface SmtpFailure {
  message: string;
  code?: string;
  response?: string;
  responseCode?: number;
}

/** Recipients that the relay refused, each with the answer to its RCPT command. */
export type Refused = ReadonlyMap<string, SmtpFailure>;

/** A message that the relay accepted for all recipients that it did not refuse. */
export interface Accepted {
  response: string;
  refused: Refused;
}

/** A transaction that has begun. */
export interface Begun {
  /** Resolves when the next transaction can begin, or the session has ended. */
  next: Promise<void>;
  /** The relay's answer to the message. Rejects with a TransactionFailed. */
  response: Promise<Accepted>;
}

export class TransactionFailed extends Error {
  /**
   * @param failure for the recipients that are not in `refused`
   * @param hadBytes a part of the message was sent, so the relay may have accepted it
   */
  constructor(
    readonly failure: SmtpFailure,
    readonly hadBytes: boolean,
    readonly refused: Refused,
  ) {
    super(failure.message);
  }
}

/** The parts of nodemailer's connection that show when a message was written; other versions may lack them. */
interface Inside {
  _createSendStream?: (callback: unknown) => Duplex;
  _supportedExtensions?: readonly string[];
}

/** An envelope to which nodemailer adds what became of it. */
interface SentEnvelope {
  from: string;
  to: string[];
  use8BitMime: boolean;
  mailError?: unknown;
  rejectedErrors?: readonly (SmtpFailure & { recipient: string })[];
}

/** If the sender was refused, the answers to the recipients say no more than that. */
function refusedOf({ mailError, rejectedErrors = [] }: SentEnvelope): Refused {
  if (mailError) return new Map();
  return new Map(rejectedErrors.map((error) => [error.recipient, error]));
}

/**
 * A connection to a relay, logged in. Its transactions follow each other; if the relay has PIPELINING, MAIL, RCPT and DATA
 * of the next are sent behind the last byte of a message, before its answer (RFC 2920 3.1).
 */
export class SmtpSession {
  /** Transactions that have begun. */
  count = 0;
  isOpen = true;
  /** Called once, when the connection has ended. */
  onEnd: (() => void) | null = null;
  private readonly waiting = new Set<(failure: SmtpFailure) => void>();
  private fault: SmtpFailure | null = null;
  private readonly seesBytes: boolean;
  /** The state of the transaction that began last. */
  private onBytes: { begun(): void; ended(): void } | null = null;

  private constructor(private readonly connection: SMTPConnection) {
    connection.on("error", (error: Error) => this.fault = error);
    connection.once("end", () => {
      this.isOpen = false;
      this.onEnd?.();
      const failure = this.fault ?? { message: "Connection closed", code: "ECONNECTION" };
      // Right after this, nodemailer rejects the transaction of its last command.
      queueMicrotask(() => this.waiting.forEach((fail) => fail(failure)));
    });
    const inside = connection as unknown as Inside;
    const createStream = inside._createSendStream?.bind(connection);
    this.seesBytes = createStream !== undefined;
    if (!createStream) return;
    inside._createSendStream = (callback) => {
      const stream = createStream(callback), { onBytes } = this;
      onBytes?.begun();
      // By then the whole message, with the final dot, is in the socket's queue.
      stream.once("end", () => onBytes?.ended());
      return stream;
    };
  }

  /** Connects and logs in. Rejects with an SmtpFailure. */
  static open({ connection: options, login }: SessionOptions): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    const session = new SmtpSession(connection);
    return new Promise((resolve, reject) => {
      session.waiting.add(reject);
      const ready = (error?: Error | null) => {
        session.waiting.delete(reject);
        if (!error) return resolve(session);
        reject(error);
        connection.close();
      };
      connection.connect((error) => {
        const { forceAuth } = options as { forceAuth?: boolean };
        if (error || !login || !(connection.allowsAuth || forceAuth)) return ready(error);
        connection.login(login, ready);
      });
    });
  }

  /** Begins a transaction. To be called when `next` of the one before has resolved. */
  begin({ from, to }: Transaction, raw: Buffer): Begun {
    const next = Promise.withResolvers<void>(), answer = Promise.withResolvers<Accepted>();
    this.count++;
    let hadBytes = !this.seesBytes;
    const isPipelined = this.supports("PIPELINING");
    this.onBytes = {
      begun: () => hadBytes = true,
      ended: () => isPipelined && next.resolve(),
    };
    // `BODY=8BITMIME` (RFC 6152), if the relay knows it: without this it may refuse or change bytes above 127.
    const envelope: SentEnvelope = { from, to: [...to], use8BitMime: !isAscii(raw) };
    const fail = (failure: SmtpFailure) => {
      if (!this.waiting.delete(fail)) return;
      answer.reject(new TransactionFailed(failure, hadBytes, refusedOf(envelope)));
      // A pipelined relay has ended the transaction with its message (RFC 5321 4.1.1.4), and may be in the next one.
      if (hadBytes && isPipelined && isAboutMessage(failure)) next.resolve();
      else this.reset(failure).finally(next.resolve);
    };
    this.waiting.add(fail);
    this.connection.send(envelope, raw, (error, info) => {
      if (error) return fail(error);
      if (!this.waiting.delete(fail)) return;
      answer.resolve({ response: info?.response ?? "", refused: refusedOf(envelope) });
      next.resolve();
    });
    return { next: next.promise, response: answer.promise };
  }

  close(): void {
    this.isOpen = false;
    this.connection.close();
  }

  private supports(extension: string): boolean {
    const inside = this.connection as unknown as Inside;
    return inside._supportedExtensions?.includes(extension) ?? false;
  }

  /** After a refusal the relay may still be in the transaction; after any other failure the connection is useless. */
  private async reset(failure: SmtpFailure): Promise<void> {
    if (!this.isOpen) return;
    const isUsable = isAboutMessage(failure) && failure.responseCode !== 421;
    const isReset = isUsable && await new Promise<boolean>((resolve) => {
      const lost = () => resolve(false);
      this.waiting.add(lost);
      this.connection.reset((error) => {
        this.waiting.delete(lost);
        resolve(!error);
      });
    });
    if (!isReset) this.close();
  }
}

/** Whether the relay answered to this message, and does not want a login (RFC 4954 6) or TLS (RFC 3207 4) first. */
export function isAboutMessage(failure: SmtpFailure): boolean {
  const { code, response } = failure;
  return (code === "EENVELOPE" || code === "EMESSAGE") && response !== undefined &&
    !wantsLogin(failure);
}

/** Whether the relay refuses every command until there is a login or TLS. */
export function wantsLogin({ responseCode }: SmtpFailure): boolean {
  return responseCode === 530 || responseCode === 535 || responseCode === 538;
}
