import { LRUCache } from "lru-cache";
import { limitSubject } from "../../core/client_address.ts";
import type { Service } from "../../core/service.ts";
import { type ArrivalPlace, newPlace, recordArrival } from "./arrivals.ts";
import type { LedgerOwner } from "./find_route.ts";
import type { Attempt } from "./receive.ts";

/** Rows of their own for refused recipients of one domain that one peer has named within a minute. */
const maxRows = 100;
const windowMs = 60_000;
/** Peers and domains remembered. One that falls out gets rows of its own again. */
const maxWindows = 10_000;

/** What one peer was refused of one domain within a minute. */
interface Window {
  begunAt: number;
  rows: number;
  /** By ledger: the row that counts what has no row of its own. */
  counted: Map<string, { place: ArrivalPlace; count: number }>;
}

/** A recipient that nobody has, named by a peer before any content. */
export interface Refusal extends Attempt {
  recipient: string;
  domain: string;
  ledger: LedgerOwner;
  /** Its network address. */
  peer: string;
}

/**
 * Records recipients that nobody has: each in a row of its own, or, when a peer has had a hundred of a domain within the
 * minute, in one row that counts. Somebody who tries a dictionary does not fill the disk.
 */
export class Refusals {
  private readonly windows = new LRUCache<string, Window>({ max: maxWindows });

  constructor(private readonly service: Service) {}

  async record(refusal: Refusal): Promise<void> {
    const { source, sender, recipient, domain, ledger, peer } = refusal;
    const window = this.windowOf(`${limitSubject(peer)} ${domain}`);
    const facts = {
      ...{ source, sender, recipient, size: 0, mailboxId: ledger.mailboxId, emailId: null },
      ...{ disposition: "rejected" as const, code: "UNKNOWN_RECIPIENT" as const },
    };
    const { service } = this;
    if (window.rows < maxRows) {
      window.rows++;
      return await service.database.transact((tx) =>
        recordArrival(tx, service, ledger.userId, facts)
      );
    }
    const counted = window.counted.get(ledger.userId) ?? { place: newPlace(service), count: 0 };
    window.counted.set(ledger.userId, counted);
    counted.count++;
    await service.database.transact((tx) => {
      const { place, count } = counted;
      const many = { ...facts, recipient: `*@${domain}`, mailboxId: null, count };
      recordArrival(tx, service, ledger.userId, many, place);
    });
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
