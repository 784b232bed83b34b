import type { Buffer } from "node:buffer";
import {
  type Accepted,
  type SessionOptions,
  type SmtpFailure,
  SmtpSession,
  type Transaction,
  TransactionFailed,
} from "./smtp_session.ts";

interface Task {
  envelope: Transaction;
  raw: Buffer;
  resolve(accepted: Accepted): void;
  reject(failed: TransactionFailed): void;
  /** The connection was already dead: no byte of the message was sent. */
  isRepeated: boolean;
}

export interface PoolLimits {
  maxSessions: number;
  /** A connection ends after this many messages. */
  maxMessages: number;
}

/** Sends messages over open connections. It opens another one for a message that would wait, up to a number of them. */
export class SmtpPool {
  private readonly queue: Task[] = [];
  private readonly sessions = new Set<SmtpSession>();
  /** The idle sessions, each with the function that gives it a transaction; null ends the session. */
  private readonly idle = new Map<SmtpSession, (task: Task | null) => void>();
  private opening = 0;
  /** Reduced when the relay has refused another connection, until no message waits. */
  private most: number;
  private closed = false;

  constructor(private readonly options: SessionOptions, private readonly limits: PoolLimits) {
    this.most = limits.maxSessions;
  }

  /** Sends a message in one transaction; returns the relay's answer. Rejects with a TransactionFailed. */
  send(envelope: Transaction, raw: Buffer): Promise<Accepted> {
    return new Promise((resolve, reject) => {
      this.queue.push({ envelope, raw, resolve, reject, isRepeated: false });
      this.serve();
    });
  }

  /** Closes idle connections; the others send what they have begun. */
  close(): void {
    this.closed = true;
    for (const give of [...this.idle.values()]) give(null);
    this.serve();
  }

  private serve(): void {
    if (this.closed) {
      const closed = unsent({ message: "the mailer is closed" });
      for (const { reject } of this.queue.splice(0)) reject(closed);
    }
    for (const give of [...this.idle.values()].slice(0, this.queue.length)) {
      give(this.queue.shift()!);
    }
    while (this.queue.length > this.opening && this.sessions.size + this.opening < this.most) {
      void this.openAnother();
    }
  }

  private async openAnother(): Promise<void> {
    this.opening++;
    const session = await SmtpSession.open(this.options).catch((error: SmtpFailure) => {
      // Relays limit the connections of a client: the open ones do the work.
      if (this.sessions.size > 0) this.most = this.sessions.size;
      else this.refuse(error);
      return null;
    });
    this.opening--;
    if (session) {
      this.sessions.add(session);
      await this.work(session);
      this.sessions.delete(session);
      session.close();
    }
    this.serve();
  }

  /**
   * The relay cannot be reached. If another connection is being opened, only the message that waited for this one
   * fails; otherwise all that wait.
   */
  private refuse(failure: SmtpFailure): void {
    const count = this.opening > 1 ? 1 : this.queue.length;
    for (const { reject } of this.queue.splice(0, count)) reject(unsent(failure));
  }

  private async work(session: SmtpSession): Promise<void> {
    while (session.isOpen && session.count < this.limits.maxMessages) {
      const task = this.queue.shift() ?? await this.untilNeeded(session);
      if (!task) return;
      if (!session.isOpen) {
        this.queue.unshift(task);
        return;
      }
      const isReused = session.count > 0;
      const { next, response } = session.begin(task.envelope, task.raw);
      const ended = response.then(task.resolve, (error: TransactionFailed) => {
        if (!isReused || !mayRepeat(task, error)) return task.reject(error);
        task.isRepeated = true;
        this.queue.unshift(task);
        this.serve();
      });
      await next;
      const isLast = this.queue.length === 0 || session.count >= this.limits.maxMessages;
      // If another message waits, it is sent before this answer has come.
      if (isLast) await ended;
    }
  }

  private async untilNeeded(session: SmtpSession): Promise<Task | null> {
    if (this.closed) return null;
    this.most = this.limits.maxSessions;
    const { promise, resolve } = Promise.withResolvers<Task | null>();
    const give = (task: Task | null) => {
      this.idle.delete(session);
      session.onEnd = null;
      resolve(task);
    };
    this.idle.set(session, give);
    session.onEnd = () => give(null);
    return await promise;
  }
}

/** The failure of a transaction that did not begin. */
function unsent(failure: SmtpFailure): TransactionFailed {
  return new TransactionFailed(failure, false, new Map());
}

/** The relay has ended an idle connection, or one with its maximum of messages: no byte of this message was sent. */
function mayRepeat({ isRepeated }: Task, { failure, hadBytes }: TransactionFailed): boolean {
  const { response, responseCode } = failure;
  return !isRepeated && !hadBytes && (response === undefined || responseCode === 421);
}
