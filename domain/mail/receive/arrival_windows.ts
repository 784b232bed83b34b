import type { Service } from "../../core/service.ts";
import type { Tx } from "../../store/database.ts";
import * as keys from "../../store/keys.ts";
import { type ArrivalFacts, type ArrivalPlace, newPlace, recordArrival } from "./arrivals.ts";

/**
 * This many attempts of one kind get a row each within a day. A sender whose connection fails after the message repeats
 * it: duplicates are more often honest than refusals.
 */
const ownRows = { duplicate: 200, rejected: 100, accepted: 100 };
const windowMs = 86_400_000;

/** The attempts of one kind since the first of them. */
interface ArrivalWindow {
  begunAt: number;
  rows: number;
  /** The row that counts the attempts without own rows; null as long as there is none. */
  merged: (ArrivalPlace & { count: number }) | null;
}

/**
 * Writes the ledger row of an attempt that no quota counts, in the transaction that decides it: a duplicate, a refusal,
 * a delivery report or an import. A stranger can repeat these without end. So a mailbox (or a domain, if the attempt
 * reached no mailbox) gets at most so many rows a day for each disposition and code, those of imports apart, and one more
 * row that counts the rest. `address` is the one that the recipient is routed by. Returns whether the attempt has a row of
 * its own.
 */
export async function recordRepeatable(
  tx: Tx,
  service: Pick<Service, "clock" | "ids">,
  userId: string,
  address: string,
  facts: ArrivalFacts,
): Promise<boolean> {
  const now = service.clock.now();
  const { mailboxId, disposition, code, source } = facts;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const kind = source === "import" ? `import ${code ?? disposition}` : code ?? disposition;
  const key = keys.arrivalWindow(userId, mailboxId ?? domain, kind);
  const known = await tx.get<ArrivalWindow>(key);
  const isOpen = known !== null && now >= known.begunAt && now - known.begunAt < windowMs;
  const window: ArrivalWindow = isOpen ? known : { begunAt: now, rows: 0, merged: null };
  if (window.rows < ownRows[disposition]) {
    tx.set(key, { ...window, rows: window.rows + 1 });
    recordArrival(tx, service, userId, facts);
    return true;
  }
  const { count, ...place } = window.merged ?? { ...newPlace(service), count: 0 };
  tx.set(key, { ...window, merged: { ...place, count: count + 1 } });
  const many = { ...facts, recipient: `*@${domain}`, count: count + 1 };
  recordArrival(tx, service, userId, many, place);
  return false;
}
