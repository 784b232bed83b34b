import type { DatabaseSync } from "node:sqlite";
import { prepared } from "./database.ts";
import { hash48 } from "../analysis/term_hash.ts";

/** The fields of a document that ranking and filters need: about 100 bytes in memory. */
interface Row {
  emailId: string;
  mailboxId: string;
  sender: number;
  recipients: number;
  subject: number;
  dateMs: number;
  arrivedMs: number;
  length: number;
}

/**
 * Documents a query. SQLite returns each column as one JSON array: 100,000 documents take a third of
 * the second that rows take as objects.
 */
const loadedTogether = 8_192;
const loaded = [
  "document",
  "email_id",
  "mailbox_id",
  "sender",
  "recipients",
  "subject",
  "date_ms",
  "arrived_ms",
  "length",
] as const;
type Loaded = Record<typeof loaded[number], string>;
const loadSql = `select ${loaded.map((name) => `json_group_array(${name}) as ${name}`)}
  from documents where account = ? and document >= ? and document < ?`;

/** The fields of documents by document number, in typed arrays that grow. */
export class Columns {
  size = 0;
  live = 0;
  totalLength = 0;
  readonly emailId: string[] = [];
  /** The numbers of all mailboxes with a document since the account was opened. */
  private readonly mailboxes = new Map<string, number>();
  isLive = new Uint8Array(0);
  length = new Uint32Array(0);
  mailbox = new Float64Array(0);
  sender = new Float64Array(0);
  recipients = new Float64Array(0);
  subject = new Float64Array(0);
  dateMs = new Float64Array(0);
  arrivedMs = new Float64Array(0);
  private normed = new Float32Array(0);
  /** The number of documents and the average length that `normed` is made with. */
  private normedSize = 0;
  private normedBy = 0;

  /** Adds the documents of the database from number `size` to `next`; a number without a row is a removed document. */
  load(db: DatabaseSync, account: number, next: number) {
    this.reserve(next);
    for (let first = this.size; first < next; first += loadedTogether) {
      const columns = prepared(db, loadSql).get(account, first, first + loadedTogether) as Loaded;
      const [documents, emailIds, mailboxIds, ...numbers] = loaded.map((name) =>
        JSON.parse(columns[name])
      ) as [number[], string[], string[], ...number[][]];
      const [sender, recipients, subject, dateMs, arrivedMs, length] = numbers;
      documents.forEach((document, n) =>
        this.put(document, {
          emailId: emailIds[n],
          mailboxId: mailboxIds[n],
          sender: sender[n],
          recipients: recipients[n],
          subject: subject[n],
          dateMs: dateMs[n],
          arrivedMs: arrivedMs[n],
          length: length[n],
        })
      );
    }
    this.size = next;
  }

  /**
   * The length normalisation of BM25 by document number: k1 * (1 - b + b * length / average). Made again when mail was
   * added or removed.
   */
  norms(k1: number, b: number): Float32Array {
    const average = this.totalLength / Math.max(1, this.live) || 1;
    if (this.normedSize !== this.size || this.normedBy !== average) {
      for (let n = 0; n < this.size; n++) {
        this.normed[n] = k1 * (1 - b + b * this.length[n] / average);
      }
      this.normedSize = this.size;
      this.normedBy = average;
    }
    return this.normed;
  }

  /** True if no document is in another mailbox. */
  areAllOf(mailboxes: ReadonlySet<number>): boolean {
    for (const mailbox of this.mailboxes.values()) if (!mailboxes.has(mailbox)) return false;
    return true;
  }

  add(row: Row) {
    this.reserve(this.size + 1);
    this.put(this.size++, row);
  }

  remove(document: number) {
    if (!this.isLive[document]) return;
    this.isLive[document] = 0;
    delete this.emailId[document];
    this.live--;
    this.totalLength -= this.length[document];
  }

  /** How many documents in `[first, end)` are not removed. */
  liveBetween(first: number, end: number): number {
    let live = 0;
    for (let n = first; n < end; n++) live += this.isLive[n];
    return live;
  }

  private put(document: number, row: Row) {
    this.isLive[document] = 1;
    this.live++;
    this.totalLength += row.length;
    this.emailId[document] = row.emailId;
    this.length[document] = row.length;
    let mailbox = this.mailboxes.get(row.mailboxId);
    if (mailbox === undefined) this.mailboxes.set(row.mailboxId, mailbox = hash48(row.mailboxId));
    this.mailbox[document] = mailbox;
    this.sender[document] = row.sender;
    this.recipients[document] = row.recipients;
    this.subject[document] = row.subject;
    this.dateMs[document] = row.dateMs;
    this.arrivedMs[document] = row.arrivedMs;
  }

  private reserve(size: number) {
    if (size <= this.isLive.length) return;
    const capacity = Math.max(64, size, this.isLive.length * 2);
    const grown = <Column extends Uint8Array | Uint32Array | Float32Array | Float64Array>(
      made: Column,
      old: Column,
    ): Column => {
      made.set(old);
      return made;
    };
    this.isLive = grown(new Uint8Array(capacity), this.isLive);
    this.length = grown(new Uint32Array(capacity), this.length);
    this.normed = grown(new Float32Array(capacity), this.normed);
    this.mailbox = grown(new Float64Array(capacity), this.mailbox);
    this.sender = grown(new Float64Array(capacity), this.sender);
    this.recipients = grown(new Float64Array(capacity), this.recipients);
    this.subject = grown(new Float64Array(capacity), this.subject);
    this.dateMs = grown(new Float64Array(capacity), this.dateMs);
    this.arrivedMs = grown(new Float64Array(capacity), this.arrivedMs);
  }
}
