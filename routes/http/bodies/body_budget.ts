import { type ServiceError, unavailable } from "../../../domain/core/errors.ts";

const MiB = 2 ** 20;

/** All bodies in memory at one time. A machine of 1 GB has room for them and for their parsed form. */
const allBytes = 256 * MiB;
/** All bodies without an inbound token or a provider's password: 32 MiB stay free for mail that has one. */
const openBytes = 224 * MiB;
/** Senders that are not authenticated yet: the posts of Mailgun, SendGrid and SNS have the proof in their body. */
const strangerBytes = 128 * MiB;
/** One address: enough for a message of 50 MB as a form, but not the whole share of strangers. */
export const oneStrangerBytes = 64 * MiB;
const accountBytes = 192 * MiB;
/** One account: two bodies of the largest size. */
const oneAccountBytes = 80 * MiB;
/** The first bytes of each body are free: a small request never waits for large ones. */
const freeBytes = 64 * 1024;
/**
 * Large bodies arrive or end within seconds. Refused senders are told to wait different times, 5 to 10 s, so that they
 * do not collide again.
 */
const retrySeconds = 5;
const spreadSeconds = 6;

/** The sender of a body, as far as it is authenticated before the body is read. */
export type Sender =
  | { kind: "stranger"; address: string }
  | { kind: "account"; userId: string }
  | { kind: "inbound" };

type Limit = { name: string; bytes: number };

function limitsOf(sender: Sender): Limit[] {
  const all = { name: "all", bytes: allBytes }, open = { name: "open", bytes: openBytes };
  switch (sender.kind) {
    case "inbound":
      return [all];
    case "account":
      return [
        all,
        open,
        { name: "accounts", bytes: accountBytes },
        { name: `account ${sender.userId}`, bytes: oneAccountBytes },
      ];
    case "stranger":
      return [
        all,
        open,
        { name: "strangers", bytes: strangerBytes },
        { name: `stranger ${sender.address}`, bytes: oneStrangerBytes },
      ];
  }
}

/**
 * Bounds the memory of all request bodies. A body counts with the bytes that have arrived, from its first piece until its
 * request is answered. A Content-Length alone reserves nothing.
 */
export class BodyBudget {
  private readonly held = new Map<string, number>();
  private refusals = 0;

  /** The share of one request. */
  open(sender: Sender): BodyShare {
    return new BodyShare(this.held, limitsOf(sender), () => {
      const spread = this.refusals++ % spreadSeconds;
      return unavailable("Too many large bodies are being received.", retrySeconds + spread);
    });
  }
}

export class BodyShare {
  private arrived = 0;
  private charged = 0;

  constructor(
    private readonly held: Map<string, number>,
    private readonly limits: Limit[],
    private readonly refusal: () => ServiceError,
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

  /** Gives everything back. A second call does nothing. */
  release(): void {
    if (this.charged > 0) this.change(-this.charged);
  }

  /** A refused body gives its bytes back at once. Eight messages of 48 MiB in lockstep would otherwise all be refused. */
  private check(bytes: number): void {
    const full = this.limits.some((limit) =>
      (this.held.get(limit.name) ?? 0) + bytes > limit.bytes
    );
    if (!full) return;
    this.release();
    throw this.refusal();
  }

  private change(bytes: number): void {
    this.charged += bytes;
    for (const { name } of this.limits) {
      const now = (this.held.get(name) ?? 0) + bytes;
      if (now > 0) this.held.set(name, now);
      else this.held.delete(name);
    }
  }
}
