import type { Entry } from "./transaction.ts";

/** Tables whose rows are not kept in memory when they are written: they are read by range, or rarely read again. */
const tablesNotKept: ReadonlySet<Deno.KvKeyPart> = new Set([
  "emails_by_mailbox",
  "emails_by_thread",
  "emails_by_delivery",
  "arrivals",
  "jobs_due",
]);

/** Rows in memory, the oldest removed first: those of a thousand messages, for the jobs that follow. */
const maxRows = 8_000;
/** Characters of rows that are stored as text, most of all emails': a stranger can make one of 60 KB. */
const maxTextChars = 32 * 2 ** 20;
/** Bytes in memory that were written and not read yet: messages that wait to be parsed. */
const maxUnreadBytes = 6 * 2 ** 20;
/** A row that expires sooner is not kept. Readers of one that lasts longer check its `expiresAt`. */
const lastingMs = 86_400_000;
/** Deno KV takes at most 10 keys in a getMany. */
const getManyKeys = 10;

type Read = (keys: Deno.KvKey[]) => Promise<Deno.KvEntryMaybe<unknown>[]>;

interface Loading {
  key: Deno.KvKey;
  text: string;
  promise: Promise<Entry>;
  resolve(entry: Entry): void;
  reject(error: unknown): void;
}

/**
 * Rows with their versionstamps, and the reads that load them. Reads of one turn of the event loop share a getMany, and
 * reads of one key share a read. A row that is written while it is being read is not kept.
 */
export class RowCache {
  private readonly rows = new Map<string, Entry>();
  private readonly loading = new Map<string, Loading>();
  private asked: Loading[] = [];
  private unreadBytes = 0;
  private textChars = 0;

  constructor(private readonly read: Read) {}

  /**
   * The row from memory, or undefined; `text` is its key as text. A Uint8Array is served from memory once, then dropped.
   */
  known(text: string): Entry | undefined {
    const entry = this.rows.get(text);
    if (entry?.value instanceof Uint8Array) this.drop(text);
    return entry;
  }

  /** The row from the database; it is kept in memory. */
  load(key: Deno.KvKey, text: string): Promise<Entry> {
    const sharing = this.loading.get(text);
    if (sharing) return sharing.promise;
    const { promise, resolve, reject } = Promise.withResolvers<Entry>();
    const loading: Loading = { key, text, promise, resolve, reject };
    this.loading.set(text, loading);
    if (this.asked.push(loading) === 1) queueMicrotask(() => this.flush());
    return promise;
  }

  /** Keeps a row that a commit of this process has written. `text` is its key as text. */
  learn(
    text: string,
    write: { key: Deno.KvKey; value: unknown; deleted: boolean; expireInMs?: number },
    versionstamp: string,
  ): void {
    this.loading.delete(text);
    this.drop(text);
    if (tablesNotKept.has(write.key[0])) return;
    if (write.deleted) this.keep(text, { key: write.key, value: null, versionstamp: null });
    else if ((write.expireInMs ?? Infinity) < lastingMs) return;
    else if (write.value instanceof Uint8Array) {
      if (this.unreadBytes + write.value.length > maxUnreadBytes) return;
      this.unreadBytes += write.value.length;
      this.keep(text, { key: write.key, value: write.value, versionstamp });
    } else this.keep(text, { key: write.key, value: write.value, versionstamp });
  }

  /** Keeps a row that was just read, in place of the older one. */
  renew(text: string, { key, value, versionstamp }: Deno.KvEntryMaybe<unknown>): void {
    this.loading.delete(text);
    if (value instanceof Uint8Array) this.drop(text);
    else this.keep(text, { key, value, versionstamp });
  }

  forget(text: string): void {
    this.drop(text);
    this.loading.delete(text);
  }

  private drop(text: string): void {
    const value = this.rows.get(text)?.value;
    if (value instanceof Uint8Array) this.unreadBytes -= value.length;
    if (typeof value === "string") this.textChars -= value.length;
    this.rows.delete(text);
  }

  private keep(text: string, entry: Entry): void {
    this.drop(text);
    this.rows.set(text, entry);
    if (typeof entry.value === "string") this.textChars += entry.value.length;
    while (this.rows.size > maxRows || this.textChars > maxTextChars) {
      this.drop(this.rows.keys().next().value!);
    }
  }

  private flush(): void {
    const asked = this.asked;
    this.asked = [];
    for (let i = 0; i < asked.length; i += getManyKeys) {
      this.readPage(asked.slice(i, i + getManyKeys));
    }
  }

  private async readPage(page: Loading[]): Promise<void> {
    try {
      const found = await this.read(page.map((each) => each.key));
      page.forEach((each, i) => {
        const { key, value, versionstamp } = found[i];
        const entry: Entry = { key, value, versionstamp };
        const { text } = each;
        if (this.loading.get(text) === each) {
          this.loading.delete(text);
          if (!(value instanceof Uint8Array)) this.keep(text, entry);
        }
        each.resolve(entry);
      });
    } catch (error) {
      for (const each of page) {
        if (this.loading.get(each.text) === each) this.loading.delete(each.text);
        each.reject(error);
      }
    }
  }
}
