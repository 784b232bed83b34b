/** One request that was served, with the times between which it was under way. */
export interface Call {
  kind: "read" | "write";
  /** ms since an arbitrary start. */
  from: number;
  to: number;
  /** The tables that it reads or writes. */
  tables: string[];
  checks: number;
  /** Ranges of a read, mutations of a write. */
  parts: number;
  /** 4 KiB of a read, 1 KiB of a written row; each begun one counts. */
  units: number;
  bytes: number;
  outcome: string;
  /** After a conflict: the tables of the rows that had changed. */
  lost?: string[];
}

/** What requests cost in all. */
export interface Costs {
  reads: number;
  readUnits: number;
  readBytes: number;
  writes: number;
  writeUnits: number;
  writtenBytes: number;
  conflicts: number;
  maxChecks: number;
}

/** What is billed on the hosted service: a read unit is 4 KiB of a range, a write unit is 1 KiB of a row. */
export const unitBytes = { read: 4_096, write: 1_024 };

export function units(bytes: number, unit: number): number {
  return Math.max(1, Math.ceil(bytes / unit));
}

export function costsOf(calls: readonly Call[]): Costs {
  const costs: Costs = {
    reads: 0,
    readUnits: 0,
    readBytes: 0,
    writes: 0,
    writeUnits: 0,
    writtenBytes: 0,
    conflicts: 0,
    maxChecks: 0,
  };
  for (const call of calls) {
    if (call.kind === "read") {
      costs.reads++;
      costs.readUnits += call.units;
      costs.readBytes += call.bytes;
    } else {
      costs.writes++;
      costs.writeUnits += call.units;
      costs.writtenBytes += call.bytes;
      costs.maxChecks = Math.max(costs.maxChecks, call.checks);
      if (call.outcome === "conflict") costs.conflicts++;
    }
  }
  return costs;
}

/**
 * How many requests were waited for in turn: the length of the longest chain of requests, each begun after the one
 * before had ended.
 */
export function inTurn(calls: readonly Pick<Call, "from" | "to">[]): number {
  let ended = -Infinity;
  let count = 0;
  for (const { from, to } of calls.toSorted((a, b) => a.to - b.to)) {
    if (from < ended) continue;
    count++;
    ended = to;
  }
  return count;
}
