import type { DatabaseSync } from "node:sqlite";
import type { EmbeddedEmail } from "../../types.ts";
import { prepared } from "../database.ts";
import { checked, withChecksum } from "../checksum.ts";
import { packText, unpackText } from "../document.ts";
import { Dense, packVectors } from "./dense.ts";

/** The vectors of one account: those of one model in memory, from their first use on. */
export class AccountVectors {
  private loaded: Dense | null = null;

  constructor(private readonly db: DatabaseSync, private readonly account: number) {}

  /** Replaces the vectors of a document. */
  add(document: number, { model, passages }: EmbeddedEmail) {
    prepared(this.db, "insert or replace into vectors values (?, ?, ?, ?, ?)").run(
      this.account,
      document,
      model,
      withChecksum(packVectors(passages.map(({ vector }) => vector))),
      packText(JSON.stringify(passages.map(({ text }) => text))),
    );
    if (this.loaded?.model === model) {
      this.loaded.remove(document);
      for (const { vector } of passages) this.loaded.add(document, vector);
    } else this.loaded?.remove(document);
  }

  remove(documents: number[]) {
    for (const document of documents) {
      prepared(this.db, "delete from vectors where account = ? and document = ?")
        .run(this.account, document);
      this.loaded?.remove(document);
    }
  }

  /** The vectors of a model, all in memory; the first call reads them. */
  dense(model: string): Dense {
    if (this.loaded?.model === model) return this.loaded;
    const dense = new Dense(model);
    const rows = prepared(
      this.db,
      "select document, vectors from vectors where account = ? and model = ? order by document",
    ).iterate(this.account, model);
    for (const row of rows) {
      const { document, vectors } = row as { document: number; vectors: Uint8Array };
      dense.addPacked(document, checked(vectors));
    }
    return this.loaded = dense;
  }

  /** The text of a document's passage, or "". */
  passage(document: number, place: number): string {
    const row = prepared(
      this.db,
      "select passages from vectors where account = ? and document = ?",
    ).get(this.account, document) as { passages: Uint8Array };
    return JSON.parse(unpackText(row.passages))[place] ?? "";
  }
}
