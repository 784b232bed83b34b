import { unavailable } from "../../domain/core/errors.ts";

const MiB = 2 ** 20;

/** Bodies that are in memory at one time. A machine of 1 GB has room for them and for what is made of them. */
const allBytes = 256 * MiB;
/** Of these, 32 MiB are left for mail with an inbound token or a provider's password, whatever others send. */
const openBytes = 224 * MiB;
/** Bodies of senders who have proved nothing yet: those of Mailgun, SendGrid and SNS carry the proof inside. */
const strangerBytes = 128 * MiB;
/** One address: a message of 50 MB as a form, and not all of what strangers have. */
export const oneStrangerBytes = 64 * MiB;
const accountBytes = 192 * MiB;
/** One account: two bodies of the largest size. */
const oneAccountBytes = 80 * MiB;
/** The beginning of each body is free: a small request never waits for large ones. */
const freeBytes = 64 * 1024;
/** Bodies of this size arrive or end within seconds. */
const retrySeconds = 5;

/** Who sends a body, as far as that is proved before the body is read. */
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
 * The memory that request bodies may take together. A body counts with the bytes that have arrived, from its first piece
 * until its request is answered: a length that is only promised holds nothing.
 */
export class BodyBudget {
  private readonly held = new Map<string, number>();

  /** The share of one request. */
  open(sender: Sender): BodyShare {
    return new BodyShare(this.held, limitsOf(sender));
  }

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.held.get("all") ?? 0;
  }
}

export class BodyShare {
  private arrived = 0;
  private charged = 0;

  constructor(private readonly held: Map<string, number>, private readonly limits: Limit[]) {}

  /** Throws SERVICE_UNAVAILABLE where a body of this size does not fit now. Holds nothing. */
  expect(bytes: number): void {
    this.check(bytes - freeBytes);
  }

  /** Counts bytes that have arrived. Throws SERVICE_UNAVAILABLE where they are too many. */
  add(bytes: number): void {
    this.arrived += bytes;
    const more = Math.max(0, this.arrived - freeBytes) - this.charged;
    if (more <= 0) return;
    this.check(more);
    this.change(more);
  }

  /** Gives everything back; a share that was released may be released again. */
  release(): void {
    if (this.charged > 0) this.change(-this.charged);
  }

  private check(bytes: number): void {
    const full = this.limits.some((limit) =>
      (this.held.get(limit.name) ?? 0) + bytes > limit.bytes
    );
    if (full) throw unavailable("Too many large bodies are on their way in.", retrySeconds);
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
