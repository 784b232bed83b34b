import { limitSubject } from "../../../domain/core/client_address.ts";
import type { Clock } from "../../../domain/core/clock.ts";

/** A large sender uses a handful of connections at once; the listener has 500 for all. */
const maxConnectionsOfAddress = 20;
/** How long a connection may stay open without an accepted message. */
const maxIdleMs = 5 * 60_000;
/** A message may take longer if its average rate is at least this: 10 MB in less than three hours. */
const leastBytesPerSecond = 1_024;
/** An old mailing list has a few; a client with more is guessing. */
const maxUnknownRecipients = 10;
/** Of any kind: each reads rows and writes into a ledger. Ten messages have at most as many recipients. */
const maxRefusedRecipients = 1_000;

interface Guest {
  subject: string;
  /** The start of the idle time. */
  since: number;
  /** The time of the last accepted message, or of the connection's start. */
  takenAt: number;
  /** Bytes so far of the message in transfer; null between messages. */
  bytes: number | null;
  unknown: number;
  refused: number;
  cancel: () => void;
}

/** Limits of each connection, by its id: connections of an address, idle time, refused recipients. */
export class SmtpLimits {
  private readonly guests = new Map<string, Guest>();
  private readonly bySubject = new Map<string, number>();

  /** `close` ends a connection that was idle for too long. */
  constructor(private readonly clock: Clock, private readonly close: (id: string) => void) {}

  /** Counts a new connection; false if its address has too many. An IPv6 address counts as its /64. */
  enter(id: string, address: string): boolean {
    const subject = limitSubject(address);
    const connections = this.bySubject.get(subject) ?? 0;
    if (connections >= maxConnectionsOfAddress) return false;
    this.bySubject.set(subject, connections + 1);
    const guest: Guest = {
      subject,
      since: this.clock.now(),
      takenAt: this.clock.now(),
      bytes: null,
      unknown: 0,
      refused: 0,
      cancel: () => {},
    };
    this.guests.set(id, guest);
    this.watch(id, guest, guest.since + maxIdleMs);
    return true;
  }

  leave(id: string): void {
    const guest = this.guests.get(id);
    if (!guest) return;
    guest.cancel();
    this.guests.delete(id);
    const left = this.bySubject.get(guest.subject)! - 1;
    if (left > 0) this.bySubject.set(guest.subject, left);
    else this.bySubject.delete(guest.subject);
  }

  /** Cancels every timer; for a listener that closes. */
  end(): void {
    for (const id of [...this.guests.keys()]) this.leave(id);
  }

  /** Call this when a message begins, then `received` with each count of bytes. */
  begin(id: string): void {
    const guest = this.guests.get(id);
    if (!guest) return;
    guest.bytes = 0;
    guest.since = this.clock.now();
  }

  received(id: string, bytes: number): void {
    const guest = this.guests.get(id);
    if (guest && guest.bytes !== null) guest.bytes += bytes;
  }

  /** Call this when a message was read to its end. The idle time starts again only if it was accepted. */
  ended(id: string, isTaken: boolean): void {
    const guest = this.guests.get(id);
    if (!guest) return;
    guest.bytes = null;
    if (isTaken) guest.takenAt = this.clock.now();
    guest.since = guest.takenAt;
    guest.cancel();
    this.watch(id, guest, guest.since + maxIdleMs);
  }

  /** Counts a recipient that is not taken; false above a limit. */
  mayBeRefused(id: string, isUnknown: boolean): boolean {
    const guest = this.guests.get(id);
    if (!guest) return true;
    if (isUnknown) guest.unknown++;
    return ++guest.refused <= maxRefusedRecipients && guest.unknown <= maxUnknownRecipients;
  }

  private watch(id: string, guest: Guest, at: number): void {
    guest.cancel = this.clock.wakeAt(at, () => {
      const waitedMs = this.clock.now() - guest.since;
      const isAlive = waitedMs < maxIdleMs ||
        (guest.bytes !== null && guest.bytes >= leastBytesPerSecond * waitedMs / 1_000);
      if (!isAlive) return this.close(id);
      const idleAt = guest.since + maxIdleMs;
      this.watch(id, guest, waitedMs < maxIdleMs ? idleAt : this.clock.now() + 60_000);
    });
  }
}
