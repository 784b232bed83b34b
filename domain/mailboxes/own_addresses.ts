import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import { mailboxForm } from "./address.ts";
import type { Route } from "./route.ts";

/** Those of `addresses` that are mailboxes of the account, were and are held for it, or have its catch-all, as {@link mailboxForm}. */
export async function ownAddresses(
  { database }: Pick<Service, "database">,
  userId: string,
  addresses: Iterable<string>,
): Promise<string[]> {
  const forms = [...new Set([...addresses].map(mailboxForm))];
  const domainOf = (form: string) => form.slice(form.indexOf("@") + 1);
  const domains = [...new Set(forms.map(domainOf))];
  const [routes, catchAlls] = await Promise.all([
    database.getMany<Route>(forms.map(keys.mailboxByAddress)),
    database.getMany<Route>(domains.map(keys.catchAll)),
  ]);
  const catchAllOf = (form: string) => catchAlls[domains.indexOf(domainOf(form))];
  return forms.filter((form, index) => (routes[index] ?? catchAllOf(form))?.userId === userId);
}
