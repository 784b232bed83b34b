import type { Tx } from "../../../store/transaction.ts";
import * as keys from "../../../store/keys.ts";
import { type Participants, takePart } from "./participants.ts";
import { resolveThread, type Thread } from "./thread_aliases.ts";
import type { Mention } from "./thread_mentions.ts";

/** Threads whose rows the commit checks; the others are only read. A commit has at most 100 checks. */
const maxCheckedThreads = 24;
/** The most threads that one message can join or merge; each of a hundred ids can lead to 20. */
export const maxThreads = 100;
/** The most merges of one thread at a time: their ids take 36 of the 64 KiB of its row. */
const maxAbsorbing = 1_000;

/** A thread found without Message-IDs, and its known participants. */
export interface KnownThread {
  threadId: string;
  people: readonly string[];
}

/** A thread that a message could join. */
export interface Candidate {
  threadId: string;
  row: Thread | null;
  people: Set<string>;
  /** The message names mail of the thread that this account sent, or is a reply of this account. */
  isOpenToMessage: boolean;
}

/** The threads that the ids in one message lead to, those of the newest id first. */
export class KnownThreads {
  private readonly candidates = new Map<string, Candidate>();
  private readonly roots = new Map<string, string>();
  private readonly threads: Pick<Tx, "get">;

  constructor(private readonly tx: Tx, private readonly userId: string) {
    this.threads = checkedAtMost(tx, maxCheckedThreads);
  }

  /** The thread that an id leads to after merges; undefined if it was not looked up. */
  rootOf(threadId: string): string | undefined {
    return this.roots.get(threadId);
  }

  /** Adds a thread that the message joins regardless of its ids. */
  async add({ threadId, people }: KnownThread): Promise<void> {
    await this.mention({ threadId, people, isSent: true });
  }

  async mention({ threadId, people, isSent }: Omit<Mention, "isOwn">): Promise<void> {
    const candidate = await this.candidate(threadId);
    if (!candidate) return;
    candidate.isOpenToMessage ||= isSent;
    for (const each of people) candidate.people.add(each);
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
    };
    this.candidates.set(root, candidate);
    return candidate;
  }

  /**
   * The threads that become one with the message: none, the one that it may join, or every thread that shares a
   * participant with it.
   */
  async joinedBy(participants: Participants): Promise<Candidate[]> {
    const shared = new Set<Candidate>();
    for (const each of this.candidates.values()) {
      if (await takePart(this.tx, this.userId, participants, each.people)) shared.add(each);
    }
    const home = this.candidates.values().find((each) => each.isOpenToMessage || shared.has(each));
    if (!home) return [];
    const all = [...shared];
    const isTooMuch = absorbedBy(all, all.map((each) => each.threadId)).length > maxAbsorbing;
    return shared.has(home) && !isTooMuch ? all : [home];
  }
}

/** Reads rows: the commit checks the first `limit` different ones, not the others. */
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

/** The threads whose messages a merge has to move: the merged ones, and those that they had not finished moving. */
export function absorbedBy(joined: readonly Candidate[], merged: readonly string[]): string[] {
  return [...new Set([...joined.flatMap(({ row }) => row?.absorbing ?? []), ...merged])];
}
