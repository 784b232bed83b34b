import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { describeError, type Log } from "../core/log.ts";
import { LateWrite } from "../core/work/late_write.ts";
import type { AuditFacts, Call } from "../core/operation.ts";
import type { Database, Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { type Actor, type AuditEntry, entryWith, rowsOf, writeEntries } from "./entry.ts";

/** A row can be read 2 s after its call at the latest: 1 s of waiting, and the commit. */
const waitMs = 1_000;
/** Characters of one commit: 600 KiB at two bytes each, of the 800 KiB that a commit may have. */
const maxCharsOfCommit = 300_000;
/** Entries that wait while the database takes none, as on a full disk: about 100 MB. */
const maxWaiting = 200_000;

/**
 * Who read, sent or changed what in an account. A call that changes something writes its entry in its own commit.
 * Entries of calls that only read wait up to a second and are written together, many to a row.
 */
export class AuditTrail {
  /** The entries that this process began since they were last counted, by account. */
  readonly appended = new Map<string, number>();
  private waiting: Waiting[] = [];
  /** What is to be counted with the next entries of an account. */
  private counts: Count[] = [];
  private readonly late: LateWrite;

  constructor(
    private readonly parts: { database: Database; clock: Clock; ids: Ids; log: Log },
  ) {
    this.late = new LateWrite(parts.clock, waitMs, () => this.write());
  }

  /** Begins the entry of a call; null if the caller has no credential, as in commands. */
  begin(caller: Caller, action: string, { surface }: Pick<Call, "surface">): AuditedCall | null {
    const { userId } = caller;
    const actor = actorOf(caller);
    if (!actor) return null;
    this.appended.set(userId, (this.appended.get(userId) ?? 0) + 1);
    const at = this.parts.clock.now();
    const begun = { auditId: this.parts.ids.timed(at), at, actor, surface, action };
    return new AuditedCall(this, userId, begun);
  }

  /** Writes an entry within 2 s. A kill before loses it. */
  add(userId: string, entry: AuditEntry): void {
    this.waiting.push({ userId, entry });
    this.late.ask();
  }

  /** Counts something in the commit of the account's next entries, so that it costs no commit. A kill before loses it. */
  countWithNext(userId: string, count: Count["count"]): void {
    if (this.counts.length < maxWaiting) this.counts.push({ userId, count });
  }

  /** Writes all entries that wait. */
  flush(): Promise<void> {
    return this.late.flush();
  }

  private async write(): Promise<void> {
    const taken = this.waiting;
    const users = new Set(taken.map(({ userId }) => userId));
    const { due = [], later = [] } = Object.groupBy(
      this.counts,
      ({ userId }) => users.has(userId) ? "due" : "later",
    );
    this.waiting = [];
    this.counts = later;
    for (const commit of commitsOf(taken, due)) {
      try {
        await this.parts.database.transact(async (tx) => {
          for (const { userId, key, text, counts } of commit) {
            // Nothing is written for an account that has ended.
            if (await tx.peek(keys.user(userId)) === null) continue;
            tx.set(key, text);
            for (const { count } of counts) count(tx);
          }
        });
      } catch (error) {
        this.parts.log.warn("audit.write_failed", { error: describeError(error) });
        this.putBack(commit.flatMap(({ entries }) => entries));
        this.counts.push(...commit.flatMap(({ counts }) => counts));
      }
    }
  }

  private putBack(entries: Waiting[]): void {
    const room = Math.max(0, maxWaiting - this.waiting.length);
    const lost = Math.max(0, entries.length - room);
    if (lost > 0) this.parts.log.error("audit.lost", { entries: lost });
    this.waiting.unshift(...entries.slice(lost));
    this.late.ask();
  }
}

function actorOf({ keyId, grantId, sessionId, memberId }: Caller): Actor | null {
  if (keyId !== undefined) return { keyId };
  if (grantId !== undefined) return { grantId };
  return sessionId !== undefined ? { sessionId, memberId } : null;
}

interface Waiting {
  userId: string;
  entry: AuditEntry;
}

interface Count {
  userId: string;
  /** Adds to at most 200 rows, the same ones for most counts of an account. */
  count(tx: Pick<Tx, "add">): void;
}

interface Row {
  userId: string;
  key: Deno.KvKey;
  text: string;
  entries: Waiting[];
  counts: Count[];
}

/** The rows of the entries, in groups that fit into one commit each. */
function commitsOf(waiting: readonly Waiting[], counts: readonly Count[]): Row[][] {
  const commits: Row[][] = [];
  const countsOf = Map.groupBy(counts, ({ userId }) => userId);
  let room = 0;
  for (const [userId, its = []] of Map.groupBy(waiting, (each) => each.userId)) {
    for (const row of rowsOf(its.map(({ entry }) => entry))) {
      const text = writeEntries(row);
      const key = keys.auditRow(userId, row.at(-1)!.auditId);
      const counts = countsOf.get(userId) ?? [];
      countsOf.delete(userId);
      // A key and its row take 200 bytes in addition to the text; so does a number that is counted.
      const chars = text.length + 200 + 200 * Math.min(200, 2 * counts.length);
      room -= chars;
      if (room < 0) {
        commits.push([]);
        room = maxCharsOfCommit - chars;
      }
      const entries = row.map((entry) => ({ userId, entry }));
      commits.at(-1)!.push({ userId, key, text, entries, counts });
    }
  }
  return commits;
}

/** One call of an operation, until it has ended. */
export class AuditedCall {
  private facts: AuditFacts | null = {};
  private written = false;

  constructor(
    private readonly trail: AuditTrail,
    private readonly userId: string,
    private readonly begun: Pick<
      AuditEntry,
      "auditId" | "at" | "actor" | "surface" | "action"
    >,
  ) {}

  /** As `OperationCall.audit`. */
  note(facts: AuditFacts | null, tx?: Tx): void {
    this.facts = facts;
    if (!facts || !tx) return;
    const { auditId } = this.begun;
    // All commits of a call write the same row, so that a call has one.
    tx.set(keys.auditRow(this.userId, auditId), writeEntries([entryWith(this.begun, facts)]));
    tx.afterCommit(() => this.written = true);
  }

  /** To be called when the call has succeeded. `count`: emails of the answer, unless the operation named a number. */
  end(count: number | null): void {
    if (!this.facts || this.written) return;
    this.trail.add(this.userId, entryWith(this.begun, { count, ...this.facts }));
  }
}
