import { DatabaseSync } from "node:sqlite";
import { isSmallWord } from "../../fulltext/analysis/term_weights.ts";
import type { Task } from "./tasks.ts";

/**
 * The hits of SQLite's FTS5: Porter's stems, BM25, each distinct word of the query that is no stop word.
 *
 * @param titleWeight the weight of a word in the subject; a word in the text has 1.
 */
export function plainFts5(
  { emails }: Task,
  titleWeight: number,
): (userId: string, text: string) => string[] {
  const accounts = new Map<string, (text: string) => string[]>();
  for (const [userId, own] of Map.groupBy(emails, ({ userId }) => userId)) {
    const db = new DatabaseSync(":memory:");
    db.exec("create virtual table docs using fts5(title, text, tokenize = 'porter unicode61')");
    const insert = db.prepare("insert into docs (rowid, title, text) values (?, ?, ?)");
    db.exec("begin");
    own.forEach(({ subject, text }, n) => insert.run(n + 1, subject, text));
    db.exec("commit");
    const query = db.prepare(
      `select rowid as row from docs where docs match ? order by bm25(docs, ${titleWeight}, 1) limit 11`,
    );
    accounts.set(userId, (text) => {
      const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
      const meant = words.filter((word) => !isSmallWord(word));
      const asked = (meant.length > 0 ? meant : words).map((word) => `"${word}"`).join(" OR ");
      if (asked === "") return [];
      return (query.all(asked) as { row: number }[]).map(({ row }) => own[row - 1].emailId);
    });
  }
  return (userId, text) => accounts.get(userId)!(text);
}
