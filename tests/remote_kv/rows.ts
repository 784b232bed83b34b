import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import v8 from "node:v8";
import {
  encodings,
  type Mutation,
  mutationTypes,
  type ReadRange,
  Refused,
  type Row,
  type Write,
} from "./messages.ts";

interface Stored {
  k: Uint8Array;
  v: Uint8Array;
  e: number;
  version: number;
}

/** The rows of the stand-in, in SQLite. Each request is one turn of the event loop, so reads and writes are serialised. */
export class Rows {
  private readonly db: DatabaseSync;
  private version = 0;
  private readonly forward;
  private readonly backward;
  private readonly one;
  private readonly put;
  private readonly remove;
  private readonly expired;

  /** `path`: a file, or `:memory:`. */
  constructor(path = ":memory:") {
    this.db = new DatabaseSync(path);
    this.db.exec(
      `pragma journal_mode = wal; pragma synchronous = off;
       create table if not exists rows (k blob primary key, v blob not null, e integer not null,
         version integer not null, expires_at integer not null) without rowid;
       create index if not exists by_expiry on rows (expires_at) where expires_at > 0;`,
    );
    const range = "select k, v, e, version from rows where k >= ? and k < ? order by k";
    this.forward = this.db.prepare(`${range} limit ?`);
    this.backward = this.db.prepare(`${range} desc limit ?`);
    this.one = this.db.prepare("select k, v, e, version from rows where k = ?");
    this.put = this.db.prepare("insert or replace into rows values (?, ?, ?, ?, ?)");
    this.remove = this.db.prepare("delete from rows where k = ?");
    this.expired = this.db.prepare("delete from rows where expires_at > 0 and expires_at <= ?");
    const last = this.db.prepare("select max(version) as version from rows").get();
    this.version = Number(last?.version ?? 0);
  }

  read({ start, end, limit, reverse }: ReadRange): Row[] {
    const found = (reverse ? this.backward : this.forward).all(start, end, limit);
    return (found as unknown as Stored[]).map(({ k, v, e, version }) => ({
      key: k,
      value: v,
      encoding: e,
      versionstamp: stampOf(version),
    }));
  }

  /** All or nothing: the versionstamp, or the places of the checks that failed. Throws Refused. */
  write({ checks, mutations }: Write): { versionstamp: Uint8Array } | { failed: number[] } {
    const failed = checks.flatMap(({ key, versionstamp }, place) => {
      const found = this.get(key);
      const is = found ? stampOf(found.version) : new Uint8Array();
      return Buffer.compare(is, versionstamp) === 0 ? [] : [place];
    });
    if (failed.length > 0) return { failed };
    this.version++;
    this.db.exec("begin");
    try {
      for (const mutation of mutations) this.apply(mutation);
      this.db.exec("commit");
    } catch (error) {
      this.db.exec("rollback");
      throw error;
    }
    return { versionstamp: stampOf(this.version) };
  }

  /** Removes what has expired. The hosted service does this within some minutes. */
  expire(now: number): void {
    this.expired.run(now);
  }

  close(): void {
    this.db.close();
  }

  private get(key: Uint8Array): Stored | undefined {
    return this.one.get(key) as unknown as Stored | undefined;
  }

  private apply({ type, key, value, encoding, expiresAt }: Mutation): void {
    if (type === mutationTypes.delete) return void this.remove.run(key);
    const set = (bytes: Uint8Array) =>
      void this.put.run(key, bytes, encoding, this.version, expiresAt);
    if (type === mutationTypes.setSuffixed) {
      const stamp = new TextEncoder().encode(Buffer.from(stampOf(this.version)).toString("hex"));
      const suffixed = Buffer.concat([key, new Uint8Array([2]), stamp, new Uint8Array([0])]);
      return void this.put.run(suffixed, value, encoding, this.version, expiresAt);
    }
    const before = type === mutationTypes.set ? undefined : this.get(key);
    if (!before) return set(value);
    if (before.e !== encoding) throw new Refused("the row holds another kind of value");
    if (encoding === encodings.le64) return set(combineLe64(type, before.v, value));
    if (encoding !== encodings.v8 || type !== mutationTypes.sum) {
      throw new Refused("only numbers can be added");
    }
    set(new Uint8Array(v8.serialize(deserialize(before.v) + deserialize(value))));
  }
}

function deserialize(bytes: Uint8Array): number {
  return v8.deserialize(Buffer.from(bytes));
}

/** Sum (which wraps), greater or lesser of two unsigned 64-bit numbers. */
function combineLe64(type: number, left: Uint8Array, right: Uint8Array): Uint8Array {
  const [a, b] = [left, right].map((bytes) =>
    new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true)
  );
  const result = type === mutationTypes.sum
    ? a + b
    : type === mutationTypes.max
    ? (a > b ? a : b)
    : (a < b ? a : b);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, result), true);
  return bytes;
}

/** Ten bytes that are in the order of the versions. */
function stampOf(version: number): Uint8Array {
  const stamp = new Uint8Array(10);
  new DataView(stamp.buffer).setBigUint64(0, BigInt(version));
  return stamp;
}
