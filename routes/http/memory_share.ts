import type { ServiceError } from "../../domain/core/errors.ts";

/** A bound of what several shares hold together; `name` names the shares. */
export interface Limit {
  name: string;
  bytes: number;
  /** A wider limit. Of it this one holds at most as much as is then free, so that a few cannot fill it. */
  within?: Limit;
}

/** The first bytes of each body and each answer are free: a small request never waits for large ones. */
export const freeBytes = 64 * 1024;

/** What one request holds of memory that requests share. `held` has what each limit's shares hold, by its name. */
export class MemoryShare {
  private arrived = 0;
  private charged = 0;

  constructor(
    private readonly held: Map<string, number>,
    private readonly limits: Limit[],
    private readonly refusal: () => ServiceError,
    private readonly released: () => void = () => {},
  ) {}

  /** Throws SERVICE_UNAVAILABLE if a body of this size does not fit now. Reserves nothing. */
  expect(bytes: number): void {
    this.check(bytes - freeBytes);
  }

  /** Counts bytes that have arrived. Throws SERVICE_UNAVAILABLE if they do not fit. */
  add(bytes: number): void {
    this.arrived += bytes;
    const more = Math.max(0, this.arrived - freeBytes) - this.charged;
    if (more <= 0) return;
    this.check(more);
    this.change(more);
  }

  /** Counts exactly these bytes from now on, whether they fit or not. */
  settle(bytes: number): void {
    this.arrived = bytes;
    this.change(Math.max(0, bytes - freeBytes) - this.charged);
  }

  /** Gives everything back. A second call does nothing. */
  release(): void {
    if (this.charged > 0) this.change(-this.charged);
  }

  /** A refused body gives its bytes back at once. Eight messages of 48 MiB in lockstep would otherwise all be refused. */
  private check(bytes: number): void {
    const full = this.limits.some(({ name, bytes: most, within }) => {
      const free = within ? within.bytes - this.heldOf(within.name) : most;
      return this.heldOf(name) + bytes > Math.min(most, free);
    });
    if (!full) return;
    this.release();
    throw this.refusal();
  }

  private heldOf(name: string): number {
    return this.held.get(name) ?? 0;
  }

  private change(bytes: number): void {
    this.charged += bytes;
    for (const { name } of this.limits) {
      const now = this.heldOf(name) + bytes;
      if (now > 0) this.held.set(name, now);
      else this.held.delete(name);
    }
    if (bytes < 0) this.released();
  }
}
