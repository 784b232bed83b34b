import type { Route } from "../../mailboxes/route.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import type { Participants } from "./participants.ts";
import { resolveThread, type Thread } from "./thread_aliases.ts";
import type { Mention } from "./thread_mentions.ts";

/** Threads whose rows are checked in the commit, of at most 100 checks that it may have; the others are only read. */
const maxCheckedThreads = 24;
/** Threads that one message can join or merge; each of a hundred ids may lead to four. */
export const maxThreads = 100;
/** Merges of one thread that may be under way: their ids are in its row, 36 of the 64 KiB that it may have. */
const maxAbsorbing = 1_000;

/** A thread that is known without the ids of its messages, and who takes part as far as is known. */
export interface KnownThread {
  threadId: string;
  people: readonly string[];
}

/** A thread that a message may join. */
export interface Candidate {
  threadId: string;
  row: Thread | null;
  people: Set<string>;
  /** The message names mail of it that this account sent, or answers it for the account. */
  isOpenToMessage: boolean;
  /** It was founded when nobody's participants were kept. */
  isOpenToAll: boolean;
}

/** The threads that the ids of one message lead to, those of the newest id first. */
export class KnownThreads {
  private readonly candidates = new Map<string, Candidate>();
  private readonly roots = new Map<string, string>();
  private readonly threads: Pick<Tx, "get">;

  constructor(private readonly tx: Tx, private readonly userId: string) {
    this.threads = checkedAtMost(tx, maxCheckedThreads);
  }

  /** What an id that was looked at leads to today. */
  rootOf(threadId: string): string | undefined {
    return this.roots.get(threadId);
  }

  /** A thread that the message joins whatever its ids say. */
  async add({ threadId, people }: KnownThread): Promise<void> {
    await this.mention({ threadId, people, isSent: true });
  }

  async mention({ threadId, people, isSent }: Mention): Promise<void> {
    const candidate = await this.candidate(threadId);
    if (!candidate) return;
    candidate.isOpenToMessage ||= isSent;
    candidate.isOpenToAll ||= people === null;
    for (const each of people ?? []) candidate.people.add(each);
  }

  private async candidate(threadId: string): Promise<Candidate | undefined> {
    let root = this.roots.get(threadId);
    if (root === undefined) {
      if (this.candidates.size >= maxThreads) return undefined;
      root = await resolveThread(this.threads, this.userId, threadId);
      this.roots.set(threadId, root);
    }
    const known = this.candidates.get(root);
    if (known) return known;
    const row = await this.threads.get<Thread>(keys.thread(this.userId, root));
    const people = new Set(row?.people);
    const candidate = {
      threadId: root,
      row,
      people,
      isOpenToMessage: false,
      isOpenToAll: false,
    };
    this.candidates.set(root, candidate);
    return candidate;
  }

  /** The threads that the message makes one: none, or one it is let into, or all it takes part in. */
  async joinedBy(participants: Participants): Promise<Candidate[]> {
    const shared = new Set<Candidate>();
    for (const each of this.candidates.values()) {
      if (each.isOpenToAll || await this.takesPart(participants, each)) shared.add(each);
    }
    const home = this.candidates.values().find((each) => each.isOpenToMessage || shared.has(each));
    if (!home) return [];
    const all = [...shared];
    const isTooMuch = absorbedBy(all, all.map((each) => each.threadId)).length > maxAbsorbing;
    return shared.has(home) && !isTooMuch ? all : [home];
  }

  /** Whether anybody but the account's own mailboxes takes part in both. */
  private async takesPart(participants: Participants, { people }: Candidate): Promise<boolean> {
    for (const [person, address] of participants) {
      if (!people.has(person)) continue;
      const route = await this.tx.peek<Route>(keys.mailboxByAddress(address));
      if (route?.userId !== this.userId) return true;
    }
    return false;
  }
}

/** Reads that the commit checks up to `limit` different rows, and unchecked reads of more. */
function checkedAtMost(tx: Tx, limit: number): Pick<Tx, "get"> {
  const checked = new Set<string>();
  return {
    get(key, expected) {
      const name = String(key.at(-1));
      if (!checked.has(name) && checked.size >= limit) return tx.peek(key);
      checked.add(name);
      return tx.get(key, expected);
    },
  };
}

/** What a thread that takes in others has to take in: these, and what they have not finished taking in. */
export function absorbedBy(joined: readonly Candidate[], merged: readonly string[]): string[] {
  return [...new Set([...joined.flatMap(({ row }) => row?.absorbing ?? []), ...merged])];
}
