import type { Receives } from "./delivery.ts";
import type { Tx } from "../../store/database.ts";
import { recordRepeatable } from "./arrival_windows.ts";
import type { Rejection } from "./arrivals.ts";
import type { Attempt, Outcome } from "./delivery.ts";
import { findRoute, ledgerOf, type LedgerOwner } from "./find_route.ts";

/** A recipient that gets nothing. */
interface Refused {
  /** As given. */
  recipient: string;
  /** The address that its mail is routed by. */
  address: string;
  /** Whose ledger shows it; null: nobody's, because the domain is not of this service. */
  ledger: LedgerOwner | null;
  size: number;
}

/** Returns a refusal, and records it if the address is on a domain of this service. */
export async function refuse(
  tx: Tx,
  service: Receives,
  { source, sender }: Attempt,
  { recipient, address, ledger, size }: Refused,
  code: Rejection,
): Promise<Outcome> {
  if (!ledger) return { disposition: "rejected", code };
  const { userId, mailboxId } = await ledgerOf(tx, ledger);
  const isOwn = await recordRepeatable(tx, service, userId, address, {
    ...{ source, sender, recipient, size, mailboxId, code },
    disposition: "rejected",
    emailId: null,
  });
  return { disposition: "rejected", code, isMerged: !isOwn };
}

/** Records the refusal of a message that is larger than any plan allows. */
export async function refuseTooLarge(
  service: Receives,
  attempt: Attempt,
  { recipient, address, size }: Omit<Refused, "ledger">,
): Promise<Outcome> {
  return await service.database.transact(async (tx) => {
    const { route, ledger } = await findRoute(tx, service, address);
    const code = route ? "EMAIL_TOO_LARGE" : "UNKNOWN_RECIPIENT";
    return await refuse(tx, service, attempt, { recipient, address, ledger, size }, code);
  });
}
