import { unavailable } from "../../../domain/core/errors.ts";
import { type Limit, MemoryShare } from "../memory_share.ts";

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
/**
 * Large bodies arrive or end within seconds. Refused senders get different times to wait, 5 to 10 s, so that they
 * do not collide again.
 */
const retrySeconds = 5;
const spreadSeconds = 6;

/** The sender of a body, as far as it is authenticated before the body is read. */
export type Sender =
  | { kind: "stranger"; address: string }
  | { kind: "account"; userId: string }
  | { kind: "inbound" };

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
  open(sender: Sender): MemoryShare {
    return new MemoryShare(this.held, limitsOf(sender), () => {
      const spread = this.refusals++ % spreadSeconds;
      return unavailable("Too many large bodies are being received.", retrySeconds + spread);
    });
  }
}
