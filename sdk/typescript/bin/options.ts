import type { Letterbox } from "../src/index.ts";
import { UsageError } from "./usage_error.ts";

/** The options of all commands as they were given. */
export interface Values {
  [option: string]: string | boolean | string[] | undefined;
  url?: string;
  key?: string;
  json?: boolean;
  mailbox?: string;
}

export interface Context {
  client: Letterbox;
  base: string;
  key: string;
  values: Values;
  words: string[];
}

export const text = (value: unknown) => typeof value === "string" ? value : undefined;

/** The mailbox with this address or id, or the only one. */
export async function mailboxOf({ client, values }: Context): Promise<string> {
  const boxes = await client.mailboxes.list();
  const { mailbox } = values;
  const wanted = mailbox?.toLowerCase();
  const found = wanted === undefined
    ? boxes
    : boxes.filter((each) => each.mailbox_id === wanted || each.email_address === wanted);
  if (found.length === 1) return found[0].mailbox_id;
  if (found.length === 0) throw new UsageError(`there is no mailbox ${mailbox ?? ""}`);
  throw new UsageError("there are several mailboxes: choose one with --mailbox ADDRESS");
}

export function filtersOf(values: Values) {
  return {
    from: text(values.from),
    subject: text(values.subject),
    label: text(values.label),
    is_read: values.unread ? false : undefined,
  };
}

export function limitOf(values: Values, most: number): number {
  const limit = Number(values.limit ?? most);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError("--limit wants a whole number");
  return limit;
}

export function oneWord({ words }: Context, what: string): string {
  if (words.length !== 1) throw new UsageError(`give one ${what}`);
  return words[0];
}
