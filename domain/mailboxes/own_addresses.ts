import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { mailboxForm } from "./address.ts";
import type { Route } from "./route.ts";

/** Those of `addresses` that are mailboxes of the account, or were and are held for it, as {@link mailboxForm}. */
export async function ownAddresses(
  { database }: Pick<Service, "database">,
  userId: string,
  addresses: Iterable<string>,
): Promise<string[]> {
  const forms = [...new Set([...addresses].map(mailboxForm))];
  const routes = await database.getMany<Route>(forms.map(keys.mailboxByAddress));
  return forms.filter((_form, index) => routes[index]?.userId === userId);
}
