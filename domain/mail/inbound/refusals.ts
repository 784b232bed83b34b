import { growingCache } from "../../core/work/growing_cache.ts";
import { limitSubject } from "../../core/client_address.ts";
import type { Service } from "../../core/service.ts";
import {
  type ArrivalPlace,
  newPlace,
  noteArrival,
  recordArrival,
  type Rejection,
} from "./arrivals.ts";
import { ledgerOf, type LedgerOwner } from "./find_route.ts";
import type { Attempt } from "./delivery.ts";

/** This many refused recipients of one domain get a row each, per peer and minute. */
const maxRows = 100;
const windowMs = 60_000;
/** This many combinations of peer, domain and code are counted. An evicted one starts again from 0. */
const maxWindows = 10_000;

/** The refusals of one peer, for one domain and of one code, within a minute. */
interface Window {
  begunAt: number;
  rows: number;
  /** For each owner of a ledger, the row that counts the refusals without own rows. */
  counted: Map<string, { place: ArrivalPlace; count: number }>;
}

/** A recipient that was refused before the content was sent. */
export interface Refusal extends Attempt {
  code: Rejection;
  recipient: string;
  domain: string;
  ledger: LedgerOwner;
  /** The network address of the peer. */
  peer: string;
}

/**
 * Records recipients that were refused before any content. After 100 rows for one peer, domain and code within a minute,
 * one more row counts the rest, so that a dictionary attack does not fill the disk.
 */
export class Refusals {
  private readonly windows = growingCache<string, Window>(maxWindows);

  constructor(private readonly service: Service) {}

  async record(refusal: Refusal): Promise<void> {
    const { source, sender, recipient, domain, ledger, peer, code } = refusal;
    const window = this.windowOf(`${limitSubject(peer)} ${domain} ${code}`);
    const facts = {
      ...{ source, sender, recipient, size: 0, mailboxId: ledger.mailboxId, emailId: null },
      ...{ disposition: "rejected" as const, code },
    };
    const { service } = this;
    if (window.rows < maxRows) {
      window.rows++;
      await service.database.transact(async (tx) => {
        const { userId, mailboxId } = await ledgerOf(tx, ledger);
        recordArrival(tx, service, userId, { ...facts, mailboxId });
      });
      return noteArrival(service, facts, facts, 0);
    }
    const counted = window.counted.get(ledger.userId) ?? { place: newPlace(service), count: 0 };
    window.counted.set(ledger.userId, counted);
    counted.count++;
    await service.database.transact(async (tx) => {
      const { place, count } = counted;
      const many = { ...facts, recipient: `*@${domain}`, mailboxId: null, count };
      recordArrival(tx, service, (await ledgerOf(tx, ledger)).userId, many, place);
    });
    // The attack does not fill the disk of the log either.
    noteArrival(service, facts, facts, 0, "debug");
  }

  private windowOf(name: string): Window {
    const now = this.service.clock.now();
    const known = this.windows.get(name);
    if (known && now >= known.begunAt && now - known.begunAt < windowMs) return known;
    const window: Window = { begunAt: now, rows: 0, counted: new Map() };
    this.windows.set(name, window);
    return window;
  }
}
