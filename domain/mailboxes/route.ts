/** Where mail for an address goes, or for whom the address is held (DECISIONS.md 10). */
export type Route =
  | { userId: string; mailboxId: string }
  | { userId: string; heldUntil: number };

export function isActive(route: Route | null): route is { userId: string; mailboxId: string } {
  return route !== null && "mailboxId" in route;
}
