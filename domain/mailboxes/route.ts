/** Where mail for an address goes, or for whom the address is held (DECISIONS.md 10). */
export type Route = ActiveRoute | { userId: string; heldUntil: number };

export interface ActiveRoute {
  userId: string;
  mailboxId: string;
}

export function isActive(route: Route | null): route is ActiveRoute {
  return route !== null && "mailboxId" in route;
}
