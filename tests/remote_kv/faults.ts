/** The faults of a request. With `cutAfter`, `brokenAfter`, `error5xxAfter` and `late` the write is done. */
export const faultKinds = [
  /** The connection ends before anything is done. Deno's client sends the request again, without end. */
  "cutBefore",
  /** The connection ends when the write is done. Deno's client sends it again: its checks now fail. */
  "cutAfter",
  /** The answer breaks off. Deno's client throws. */
  "brokenAfter",
  /** 503, nothing is done. Deno's client sends the request again. */
  "error5xx",
  /** 500 when the write is done. Deno's client sends it again. */
  "error5xxAfter",
  /** 429, nothing is done. Deno's client throws. */
  "error429",
  /** The server says that it takes no reads or writes now. Deno's client throws. */
  "disabled",
  /** The write is done, and the answer comes after `lateMs`. */
  "late",
] as const;

export type FaultKind = typeof faultKinds[number];

/** What happens to requests. Chances are from 0 to 1, for one request. */
export interface Faults {
  reads?: Partial<Record<"cutBefore" | "error5xx" | "error429" | "disabled", number>>;
  writes?: Partial<Record<FaultKind, number>>;
  lateMs?: number;
  /** Only requests that touch one of these tables. */
  onlyTables?: readonly string[];
  /** How many faults at most. */
  most?: number;
  /** Every request: 503; no answer; 401, as with a token that was revoked. */
  all?: "down" | "silent" | "refused";
}

/** Decides what happens to each request. */
export class FaultPlan {
  injected = 0;

  constructor(readonly faults: Faults, private readonly random: () => number) {}

  /** null for most requests. */
  draw(kind: "read" | "write", tables: readonly string[]): FaultKind | null {
    const { onlyTables, most = Infinity } = this.faults;
    if (this.injected >= most) return null;
    if (onlyTables && !tables.some((table) => onlyTables.includes(table))) return null;
    const chances = (kind === "read" ? this.faults.reads : this.faults.writes) ?? {};
    let left = this.random();
    for (const [fault, chance] of Object.entries(chances) as [FaultKind, number][]) {
      if (left < chance) {
        this.injected++;
        return fault;
      }
      left -= chance;
    }
    return null;
  }
}
