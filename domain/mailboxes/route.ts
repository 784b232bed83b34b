/**
 * The mailbox that gets the mail of an address, or the account that the address is held for (docs/specification.md
 * "Deletion").
 */
export type Route = ActiveRoute | { userId: string; heldUntil: number };

export interface ActiveRoute {
  userId: string;
  mailboxId: string;
}

export function isActive(route: Route | null): route is ActiveRoute {
  return route !== null && "mailboxId" in route;
}
