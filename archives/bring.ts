import { type Conversation, conversationOf, keepOrder } from "./in_order.ts";
import type { Found } from "./messages.ts";
import type { Item } from "./read_mail.ts";

/** What became of the messages of a folder. */
export interface Counts {
  accepted: number;
  duplicates: number;
  leftOut: number;
  refused: number;
}

export type Message = Extract<Found, { kind: "message" }>;
export type NotTaken = Exclude<Found, Message>;

/** How the service takes a message. */
export type Outcome = { disposition: "accepted" | "duplicate" } | {
  disposition: "rejected";
  reason: string;
};

/** How far a run is. */
export interface Standing {
  /** So many things of the source are done. */
  done: number;
  /** Which of them is the last message that the service has. */
  lastTaken: number;
  folders: [string, Counts][];
}

export interface BringOptions {
  /** The things of the source; it is called again if the run begins anew. */
  items(): AsyncIterable<Item>;
  /** Throws if the service does not answer: then the run stops. */
  post(message: Message): Promise<Outcome>;
  /** Called with what is refused and left out, in the order of the source. */
  notTaken?(found: NotTaken): void;
  /** Called when a thing is done: how far into the source it ends, and all that is done. */
  at?(position: number, total: Readonly<Counts>): void;
  /** Where an earlier run stood. */
  from?: Standing | null;
  /** Called now and then with where this run stands, and at its end. */
  stands?(standing: Standing): void;
  /** After an abort the messages in flight are finished, and no other begins. */
  signal?: AbortSignal;
}

const mostConnections = 8;
/** Of messages in flight; a larger one goes alone. */
const mostBytes = 64 * 2 ** 20;

/**
 * Sends the messages of a source, eight at once, and counts them by folder. Those that could get into another conversation keep
 * their order. A run that was stopped goes on where it stood if the service still has the last message that it took; else it
 * begins anew, and what the service has is a duplicate.
 */
export async function bring(options: BringOptions): Promise<Map<string, Counts>> {
  const { items, post, signal, from } = options;
  const tally = new Tally(options);
  const flights = new Map<Promise<void>, Conversation>();
  let index = 0, bytes = 0, failure: unknown;
  try {
    for await (const item of items()) {
      if (signal?.aborted || failure) break;
      const place = index++;
      if (from && place < from.done) {
        if (place !== from.lastTaken) continue;
        const isThere = item.kind === "message" && (await post(item)).disposition === "duplicate";
        if (!isThere) return await bring({ ...options, from: null });
        tally.restore(from);
        continue;
      }
      if (item.kind !== "message") {
        tally.skip(place, item);
        continue;
      }
      const { length } = item.raw, conversation = conversationOf(item.raw);
      const mustWait = () =>
        flights.size >= mostConnections || flights.size > 0 && bytes + length > mostBytes ||
        [...flights.values()].some((other) => keepOrder(conversation, other));
      while (mustWait()) await Promise.race(flights.keys());
      bytes += length;
      const flight: Promise<void> = post(item).then(
        (outcome) => tally.sent(place, item, outcome),
        (error) => void (failure ??= error),
      ).finally(() => {
        bytes -= length;
        flights.delete(flight);
      });
      flights.set(flight, conversation);
    }
  } finally {
    await Promise.all(flights.keys());
    tally.tell();
  }
  if (failure) throw failure;
  return tally.folders;
}

/** The run saves where it stands after each of so many messages. */
const everyThings = 200;

/** Counts what is done, in the order of the source: a thing waits until all before it is done. */
class Tally {
  folders = new Map<string, Counts>();
  #total = none();
  #done = 0;
  #lastTaken = -1;
  #waiting = new Map<number, () => void>();

  constructor(readonly options: BringOptions) {}

  restore({ done, lastTaken, folders }: Standing): void {
    [this.#done, this.#lastTaken, this.folders] = [done, lastTaken, new Map(folders)];
    this.#total = totalOf(this.folders);
  }

  /** A thing that is not sent. */
  skip(place: number, item: NotTaken & { position: number }): void {
    this.#inOrder(place, item.position, () => {
      this.#count(item.folder, item.kind === "refused" ? "refused" : "leftOut");
      this.options.notTaken?.(item);
    });
  }

  /** A message that was sent. */
  sent(place: number, { folder, name, position }: Item, outcome: Outcome): void {
    this.#inOrder(place, position, () => {
      if (outcome.disposition === "rejected") {
        this.#count(folder, "refused");
        return this.options.notTaken?.({ kind: "refused", folder, name, reason: outcome.reason });
      }
      this.#lastTaken = place;
      this.#count(folder, outcome.disposition === "accepted" ? "accepted" : "duplicates");
    });
  }

  tell(): void {
    const folders = structuredClone([...this.folders]);
    // Before the first message nothing shows that the service is the same.
    if (this.#lastTaken < 0) return;
    this.options.stands?.({ done: this.#done, lastTaken: this.#lastTaken, folders });
  }

  #inOrder(place: number, position: number, count: () => void): void {
    this.#waiting.set(place, () => {
      count();
      this.options.at?.(position, this.#total);
    });
    for (let ready; (ready = this.#waiting.get(this.#done));) {
      this.#waiting.delete(this.#done);
      ready();
      if (++this.#done % everyThings === 0) this.tell();
    }
  }

  #count(folder: string, what: keyof Counts): void {
    const counts = this.folders.get(folder) ?? none();
    this.folders.set(folder, counts);
    counts[what]++;
    this.#total[what]++;
  }
}

const none = (): Counts => ({ accepted: 0, duplicates: 0, leftOut: 0, refused: 0 });

/** All folders together. */
export function totalOf(folders: ReadonlyMap<string, Counts>): Counts {
  const total = none();
  for (const counts of folders.values()) {
    for (const each of Object.keys(total) as (keyof Counts)[]) total[each] += counts[each];
  }
  return total;
}

/** A line for each folder, and `total` as the last. */
export function summaryOf(folders: ReadonlyMap<string, Counts>): string[] {
  return [...folders, ["total", totalOf(folders)] as const].map(([folder, counts]) =>
    `${folder}: ${counts.accepted} accepted, ${counts.duplicates} duplicates, ` +
    `${counts.leftOut} left out, ${counts.refused} refused`
  );
}
