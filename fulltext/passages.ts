import { DatabaseSync, type StatementSync } from "node:sqlite";
import { bestPassage, wantedWords } from "./analysis/best_passage.ts";
import { unpackText } from "./index/document.ts";
import type { WeightedPassageQuery } from "./types.ts";

/**
 * Reads passages from the file of an index that another thread writes. It keeps nothing in memory, so
 * each call sees what was committed before it.
 */
export class PassageReader {
  private readonly db: DatabaseSync;
  private readonly select: StatementSync;

  /** @throws if the file is no index. */
  constructor(path: string) {
    this.db = new DatabaseSync(path, { readOnly: true });
    this.select = this.db.prepare(
      "select text from accounts join documents using (account) " +
        "join contents using (account, document) where user_id = ? and email_id = ?",
    );
  }

  /** The same as `IndexEngine.passages`, with the weights that `IndexEngine.search` gave. */
  passages({ userId, text, emailIds, weights }: WeightedPassageQuery): string[] {
    const known = new Map(weights);
    const wanted = wantedWords(text, ({ stemKey }) => known.get(stemKey) ?? 0);
    return emailIds.map((emailId) => {
      const row = this.select.get(userId, emailId) as { text: Uint8Array } | undefined;
      return row === undefined ? "" : bestPassage(unpackText(row.text), wanted);
    });
  }
}
