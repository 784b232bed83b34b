import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A request that a server of KV Connect answers with 400. */
export class Refused extends Error {}

/** The limits of one request; those of the hosted service. */
export const requestLimits = {
  writtenKeyBytes: 2_048,
  readKeyBytes: 2_049,
  valueBytes: 65_536,
  ranges: 10,
  entries: 1_000,
  mutations: 1_000,
  totalBytes: 819_200,
};

export interface ReadRange {
  start: Uint8Array;
  /** Not in the range. */
  end: Uint8Array;
  limit: number;
  reverse: boolean;
}

export interface Check {
  key: Uint8Array;
  /** 10 bytes; empty: the row is absent. */
  versionstamp: Uint8Array;
}

/** How a value is written: by `v8.serialize`, as an unsigned 64-bit number, or as it is. */
export const encodings = { v8: 1, le64: 2, bytes: 3 } as const;
/** What a mutation does with its value. `setSuffixed` adds the versionstamp of the commit to the key, as its last part. */
export const mutationTypes = {
  set: 1,
  delete: 2,
  sum: 3,
  max: 4,
  min: 5,
  setSuffixed: 9,
} as const;

export interface Mutation {
  type: number;
  key: Uint8Array;
  value: Uint8Array;
  encoding: number;
  /** When the row expires, ms since 1970; 0: never. */
  expiresAt: number;
}

export interface Write {
  checks: Check[];
  mutations: Mutation[];
}

/** A row as it is stored. */
export interface Row {
  key: Uint8Array;
  value: Uint8Array;
  encoding: number;
  versionstamp: Uint8Array;
}

type Fields = Record<number, (reader: BinaryReader) => void>;

/** Reads a message field by field; fields without a reader are skipped. Throws Refused. */
function readMessage(bytes: Uint8Array, fields: Fields): void {
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (fields[field]) fields[field](reader);
      else reader.skip(type, field);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("the message is malformed");
  }
}

function require(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Refused(message);
}

/** The ranges of a SnapshotRead. Throws Refused if it is malformed or beyond the limits. */
export function decodeRead(body: Uint8Array): ReadRange[] {
  const ranges: ReadRange[] = [];
  readMessage(body, {
    1: (reader) => {
      const range: ReadRange = {
        start: new Uint8Array(),
        end: new Uint8Array(),
        limit: 0,
        reverse: false,
      };
      readMessage(reader.bytes(), {
        1: (inner) => range.start = inner.bytes(),
        2: (inner) => range.end = inner.bytes(),
        3: (inner) => range.limit = inner.int32(),
        4: (inner) => range.reverse = inner.bool(),
      });
      ranges.push(range);
    },
  });
  require(ranges.length <= requestLimits.ranges, "too many ranges in one read");
  for (const { start, end, limit } of ranges) {
    require(limit > 0, "a range needs a limit");
    const longest = Math.max(start.length, end.length);
    require(longest <= requestLimits.readKeyBytes, "a key is too long");
  }
  const entries = ranges.reduce((sum, { limit }) => sum + limit, 0);
  require(entries <= requestLimits.entries, "too many entries in one read");
  return ranges;
}

/** An AtomicWrite. Throws Refused if it is malformed or beyond the limits. */
export function decodeWrite(body: Uint8Array, maxChecks: number): Write {
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  readMessage(body, {
    1: (reader) => {
      const check: Check = { key: new Uint8Array(), versionstamp: new Uint8Array() };
      readMessage(reader.bytes(), {
        1: (inner) => check.key = inner.bytes(),
        2: (inner) => check.versionstamp = inner.bytes(),
      });
      checks.push(check);
    },
    2: (reader) => void mutations.push(decodeMutation(reader.bytes())),
    3: () => require(false, "KV Connect has no queues"),
  });
  require(checks.length <= maxChecks, "too many checks in one write");
  require(mutations.length <= requestLimits.mutations, "too many mutations in one write");
  let bytes = 0;
  for (const { key, versionstamp } of checks) {
    require(key.length <= requestLimits.readKeyBytes, "a key is too long");
    require([0, 10].includes(versionstamp.length), "a versionstamp has ten bytes");
    bytes += key.length;
  }
  for (const { key, value } of mutations) {
    require(key.length <= requestLimits.writtenKeyBytes, "a key is too long");
    require(value.length <= requestLimits.valueBytes, "a value is too large");
    bytes += key.length + value.length;
  }
  require(bytes <= requestLimits.totalBytes, "the write is too large");
  return { checks, mutations };
}

function decodeMutation(body: Uint8Array): Mutation {
  const mutation: Mutation = {
    type: 0,
    key: new Uint8Array(),
    value: new Uint8Array(),
    encoding: 0,
    expiresAt: 0,
  };
  readMessage(body, {
    1: (reader) => mutation.key = reader.bytes(),
    2: (reader) =>
      readMessage(reader.bytes(), {
        1: (inner) => mutation.value = inner.bytes(),
        2: (inner) => mutation.encoding = inner.int32(),
      }),
    3: (reader) => mutation.type = reader.int32(),
    4: (reader) => mutation.expiresAt = Number(reader.int64()),
  });
  const known = Object.values(mutationTypes) as number[];
  require(known.includes(mutation.type), "an unknown kind of mutation");
  const needsValue = mutation.type !== mutationTypes.delete;
  require(!needsValue || mutation.encoding > 0, "a mutation without a value");
  return mutation;
}

const lengthDelimited = WireType.LengthDelimited;

function rowMessage({ key, value, encoding, versionstamp }: Row): Uint8Array {
  return new BinaryWriter().tag(1, lengthDelimited).bytes(key).tag(2, lengthDelimited).bytes(value)
    .tag(3, WireType.Varint).int32(encoding).tag(4, lengthDelimited).bytes(versionstamp).finish();
}

const successStatus = 1;
const checkFailedStatus = 2;

/** SnapshotReadOutput: the rows of each range. */
export function encodeRead(ranges: Row[][]): Uint8Array {
  const out = new BinaryWriter();
  for (const rows of ranges) {
    const inner = new BinaryWriter();
    for (const row of rows) inner.tag(1, lengthDelimited).bytes(rowMessage(row));
    out.tag(1, lengthDelimited).bytes(inner.finish());
  }
  // 4: read with strong consistency.
  return out.tag(4, WireType.Varint).bool(true).tag(8, WireType.Varint).int32(successStatus)
    .finish();
}

/** AtomicWriteOutput: the versionstamp of the commit, or the places of the checks that failed. */
export function encodeWrite(
  outcome: { versionstamp: Uint8Array } | { failed: number[] },
): Uint8Array {
  const out = new BinaryWriter();
  if ("versionstamp" in outcome) {
    return out.tag(1, WireType.Varint).int32(successStatus)
      .tag(2, lengthDelimited).bytes(outcome.versionstamp).finish();
  }
  out.tag(1, WireType.Varint).int32(checkFailedStatus);
  for (const place of outcome.failed) out.tag(4, WireType.Varint).uint32(place);
  return out.finish();
}

/** The answer of a server that takes no reads, or no writes, for now. */
export function disabledAnswer(kind: "read" | "write"): Uint8Array<ArrayBuffer> {
  const out = new BinaryWriter();
  if (kind === "read") out.tag(8, WireType.Varint).int32(2);
  else out.tag(1, WireType.Varint).int32(5);
  return new Uint8Array(out.finish());
}

/**
 * The parts of an encoded key that are texts, up to the first that is not: the first names the table. A text is written as
 * the byte 2, its bytes with each 0 followed by 255, and a 0.
 */
export function textParts(key: Uint8Array): string[] {
  const parts: string[] = [];
  for (let at = 0; key[at] === 2;) {
    const bytes: number[] = [];
    for (at++; key[at] !== 0 || key[at + 1] === 255; at++) {
      bytes.push(key[at]);
      if (key[at] === 0) at++;
    }
    parts.push(new TextDecoder().decode(Uint8Array.from(bytes)));
    at++;
  }
  return parts;
}
