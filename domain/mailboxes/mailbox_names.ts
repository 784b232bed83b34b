import { type Caller, seesMailbox } from "../core/caller.ts";
import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import { normaliseAddress } from "./address.ts";
import { isActive, type Route } from "./route.ts";

/** The fields of inputs that name one mailbox, and those that name several. */
const oneName = ["mailbox_id", "exclude_mailbox_id"];
const manyNames = ["mailbox_ids", "mailboxIds"];

/** Mailboxes by their addresses. */
export class MailboxNames {
  constructor(private readonly database: Pick<Database, "get">) {}

  /**
   * The input with the ids of mailboxes in place of their addresses. An address that is no mailbox of the caller stays as
   * it is: it is then unknown as an id too.
   */
  async withIds<Input>(caller: Caller, input: Input): Promise<Input> {
    const fields = input as Record<string, unknown>;
    const ids: Record<string, unknown> = {};
    for (const field of oneName) {
      const name = fields[field];
      if (isAddress(name)) ids[field] = await this.idOf(caller, name);
    }
    for (const field of manyNames) {
      const names = fields[field];
      if (!Array.isArray(names) || !names.some(isAddress)) continue;
      ids[field] = await Promise.all(
        names.map((name) => isAddress(name) ? this.idOf(caller, name) : name),
      );
    }
    return Object.keys(ids).length === 0 ? input : { ...input, ...ids };
  }

  /** The id of the mailbox that the caller sees under `name`, which is an address or an id; else `name`. */
  async idOf(caller: Caller, name: string): Promise<string> {
    const address = isAddress(name) && normaliseAddress(name)?.address;
    const route = address ? await this.database.get<Route>(keys.mailboxByAddress(address)) : null;
    return isActive(route) && route.userId === caller.userId && seesMailbox(caller, route.mailboxId)
      ? route.mailboxId
      : name;
  }
}

function isAddress(name: unknown): name is string {
  return typeof name === "string" && name.includes("@");
}
