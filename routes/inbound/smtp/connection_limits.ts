import { limitSubject } from "../../../domain/core/client_address.ts";
import type { Clock } from "../../../domain/core/clock.ts";

/** A large sender delivers over a handful of connections at once; the listener has 500 for everybody. */
const maxConnectionsOfAddress = 20;
/** How long a connection may stay without a message taken in. */
const maxIdleMs = 5 * 60_000;
/** A message is waited for as long as it comes at this rate on average: 10 MB in less than three hours. */
const leastBytesPerSecond = 1_024;
/** A list that is out of date has a few; who has more is guessing. */
const maxUnknownRecipients = 10;

interface Guest {
  subject: string;
  /** Since when the wait for a message counts. */
  since: number;
  /** When the last message was taken, or the connection began. */
  takenAt: number;
  /** Of the message that is being received; null between messages. */
  bytes: number | null;
  unknown: number;
  cancel: () => void;
}

/** What the connections of the listener may still do, by their ids. */
export class SmtpLimits {
  private readonly guests = new Map<string, Guest>();
  private readonly bySubject = new Map<string, number>();

  /** `close` ends a connection that has done nothing for too long. */
  constructor(private readonly clock: Clock, private readonly close: (id: string) => void) {}

  /** False: the address has as many connections as it may. An IPv6 address counts as its /64. */
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

  /** Ends every wait, for a listener that closes. */
  end(): void {
    for (const id of [...this.guests.keys()]) this.leave(id);
  }

  /** A message begins: its bytes, as they come, go to `received`. */
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

  /** A message was read to its end. The wait for the next one counts anew only if this one was taken. */
  ended(id: string, isTaken: boolean): void {
    const guest = this.guests.get(id);
    if (!guest) return;
    guest.bytes = null;
    if (isTaken) guest.takenAt = this.clock.now();
    guest.since = guest.takenAt;
    guest.cancel();
    this.watch(id, guest, guest.since + maxIdleMs);
  }

  /** Counts an unknown recipient; false if the connection had its share before. */
  mayNameUnknown(id: string): boolean {
    const guest = this.guests.get(id);
    return !guest || ++guest.unknown <= maxUnknownRecipients;
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
