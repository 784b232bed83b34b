import { isActive, type Route } from "../../../domain/mailboxes/route.ts";
import type { Mailbox } from "../../../domain/mailboxes/mailbox.ts";

/**
 * Scans the whole store for contradictions between mailboxes, routing, domain index and counters, and returns each in
 * words. So no test trusts the code that it tests.
 */
export async function disagreements(kv: Deno.Kv, sharedDomains: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const mailboxes = await rows<Mailbox>(kv, "mailboxes");
  const routes = await rows<Route>(kv, "mailboxes_by_address");
  const owners = new Map<string, string>();
  const perUser = new Map<string, number>();
  const perDomain = new Map<string, number>();
  for (const { key, value: { mailboxId, userId, address, domain } } of mailboxes) {
    if (key[1] !== userId || key[2] !== mailboxId) wrong.push(`${key} is misfiled`);
    if (owners.has(address)) wrong.push(`${address} is owned twice`);
    owners.set(address, mailboxId);
    perUser.set(userId, (perUser.get(userId) ?? 0) + 1);
    const name = `${userId} ${domain}`;
    if (!sharedDomains.includes(domain)) perDomain.set(name, (perDomain.get(name) ?? 0) + 1);
    const byDomain = await kv.get(["mailboxes_by_domain", userId, domain, mailboxId]);
    if (byDomain.value === null) wrong.push(`${address} is missing in the index by domain`);
  }
  for (const { key, value } of routes) {
    const address = String(key[1]);
    const owner = owners.get(address);
    if (isActive(value) ? value.mailboxId !== owner : owner !== undefined) {
      wrong.push(`${address} is routed to ${JSON.stringify(value)}, its owner is ${owner}`);
    }
  }
  for (const address of owners.keys()) {
    if (!routes.some(({ key }) => key[1] === address)) wrong.push(`${address} has no route`);
  }
  const byDomain = await rows(kv, "mailboxes_by_domain");
  if (byDomain.length !== mailboxes.length) wrong.push("the index by domain has rows too many");
  for (const { key, value } of await rows<number>(kv, "mailbox_quota")) {
    const count = perUser.get(String(key[1])) ?? 0;
    if (value !== count) {
      wrong.push(`the quota of ${String(key[1])} says ${value}, there are ${count}`);
    }
  }
  const counted = new Map(
    (await rows<number>(kv, "custom_domain_mailboxes")).map(({ key, value }) => [
      key.slice(1).map(String).join(" "),
      value,
    ]),
  );
  for (const name of new Set([...counted.keys(), ...perDomain.keys()])) {
    const [stored, count] = [counted.get(name) ?? 0, perDomain.get(name) ?? 0];
    if (stored !== count) wrong.push(`the count of ${name} is ${stored}, there are ${count}`);
  }
  return wrong;
}

/** Keys whose row has `text` anywhere, in the key or in the value. */
export async function rowsThatMention(kv: Deno.Kv, texts: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, value } of kv.list({ prefix: [] }, { batchSize: 500 })) {
    const names = value instanceof Uint8Array ? [] : strings(value);
    if ([...key.map(String), ...names].some((each) => texts.has(each))) found.push(key.join(" "));
  }
  return found;
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(strings);
}

async function rows<Value>(kv: Deno.Kv, table: string): Promise<Deno.KvEntry<Value>[]> {
  return await Array.fromAsync(kv.list<Value>({ prefix: [table] }, { batchSize: 500 }));
}
