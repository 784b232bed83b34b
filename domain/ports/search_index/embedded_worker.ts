/// <reference lib="deno.worker" />
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { IndexAnswer, IndexCall } from "./embedded.ts";
import type { IndexedEmail, SearchFilters, SearchHit } from "./port.ts";

/**
 * The thread behind `openEmbeddedIndex`: it owns the SQLite file, runs one call at a time, and
 * lets searches pass waiting writes.
 */
const calls: IndexCall[] = [];
let database: DatabaseSync | null = null;
let openError = "the search index is not open";
let running = false;

self.onmessage = ({ data }: MessageEvent<IndexCall | { path: string | null }>) => {
  if ("path" in data) return open(data.path);
  calls.push(data);
  if (!running) {
    running = true;
    setTimeout(runNext, 0);
  }
};

function open(path: string | null) {
  try {
    database = new DatabaseSync(path ?? ":memory:");
    database.exec(`
      pragma journal_mode = wal; pragma synchronous = full;
      create table if not exists emails (
        row integer primary key, user_id text not null, email_id text not null, mailbox_id text not null,
        sender text not null, recipients text not null, subject text not null,
        date_ms real not null, arrived_ms real not null, text text not null,
        unique (user_id, email_id));
      create virtual table if not exists words using fts5(
        subject, body, people, attachments, tokenize = 'porter unicode61 remove_diacritics 2');
    `);
  } catch (error) {
    openError = `the search index cannot be opened: ${(error as Error).message}`;
  }
}

function runNext() {
  const urgent = calls.findIndex(({ method }) => method === "search" || method === "check");
  const call = calls.splice(Math.max(urgent, 0), 1)[0];
  self.postMessage(answer(call));
  running = calls.length > 0;
  if (running) setTimeout(runNext, 0);
}

function answer({ callId, method, args }: IndexCall): IndexAnswer {
  try {
    if (!database && method === "close") return { callId, value: undefined };
    if (!database) throw new Error(openError);
    const run = methods(database)[method] as (...args: unknown[]) => unknown;
    return { callId, value: run(...args) };
  } catch (error) {
    return { callId, error: (error as Error).message };
  }
}

function methods(db: DatabaseSync): Record<IndexCall["method"], unknown> {
  const inTransaction = (work: () => void) => {
    db.exec("begin immediate");
    try {
      work();
      db.exec("commit");
    } catch (error) {
      db.exec("rollback");
      throw error;
    }
  };
  const drop = (where: string, ...values: SQLInputValue[]) => {
    db.prepare(`delete from words where rowid in (select row from emails where ${where})`)
      .run(...values);
    db.prepare(`delete from emails where ${where}`).run(...values);
  };
  return {
    add(emails: IndexedEmail[]) {
      inTransaction(() => {
        for (const email of emails) {
          drop("user_id = ? and email_id = ?", email.userId, email.emailId);
          const { lastInsertRowid } = db.prepare(
            "insert into emails values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          ).run(
            email.userId,
            email.emailId,
            email.mailboxId,
            email.from.toLowerCase(),
            email.to.join("\n").toLowerCase(),
            email.subject.toLowerCase(),
            email.dateMs,
            email.arrivedMs,
            email.text,
          );
          db.prepare(
            "insert into words (rowid, subject, body, people, attachments) values (?, ?, ?, ?, ?)",
          )
            .run(
              lastInsertRowid,
              email.subject,
              email.text,
              [email.from, ...email.to].join("\n"),
              email.attachmentNames.join("\n"),
            );
        }
      });
    },
    remove(userId: string, emailIds: string[]) {
      inTransaction(() => {
        for (const id of emailIds) drop("user_id = ? and email_id = ?", userId, id);
      });
    },
    removeMailbox(userId: string, mailboxId: string) {
      inTransaction(() => drop("user_id = ? and mailbox_id = ?", userId, mailboxId));
    },
    search(query: { userId: string; text: string; filters: SearchFilters; window: number }) {
      return { hits: search(db, query), degraded: false };
    },
    reset() {
      inTransaction(() => db.exec("delete from words; delete from emails"));
    },
    check() {
      db.prepare("select count(*) from emails where row = 0").get();
    },
    close() {
      db.close();
      database = null;
    },
  };
}

function search(
  db: DatabaseSync,
  { userId, text, filters, window }: {
    userId: string;
    text: string;
    filters: SearchFilters;
    window: number;
  },
): SearchHit[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const where = ["e.user_id = ?"];
  const values: SQLInputValue[] = [
    [...new Set(words)].map((word) => `"${word}"`).join(" OR "),
    userId,
  ];
  const narrow = (condition: string, ...more: (SQLInputValue | undefined)[]) => {
    if (more.some((value) => value === undefined)) return;
    where.push(condition);
    values.push(...more as SQLInputValue[]);
  };
  narrow("instr(e.sender, ?)", filters.from?.toLowerCase());
  narrow("instr(e.recipients, ?)", filters.to?.toLowerCase());
  narrow("instr(e.subject, ?)", filters.subject?.toLowerCase());
  narrow("e.date_ms >= ?", filters.dateFromMs);
  narrow("e.date_ms <= ?", filters.dateToMs);
  if (filters.mailboxIds) {
    narrow("e.mailbox_id in (select value from json_each(?))", JSON.stringify(filters.mailboxIds));
  }
  const rows = db.prepare(`
    select e.email_id as emailId, bm25(words, 2, 1, 1, 1) as rank,
           snippet(words, -1, '', '', '...', 40) as snippet
    from words join emails e on e.row = words.rowid
    where words match ? and ${where.join(" and ")}
    order by rank, e.arrived_ms desc limit ?`).all(...values, window) as {
    emailId: string;
    rank: number;
    snippet: string;
  }[];
  return rows.map(({ emailId, rank, snippet }) => ({
    emailId,
    score: Math.min(1, -rank / (-rank + 4)),
    snippet,
  }));
}
