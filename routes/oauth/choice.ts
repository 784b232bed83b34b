import type { Scope } from "../../domain/core/caller.ts";
import type { Mailbox } from "../../domain/mailboxes/mailbox.ts";
import type { Form } from "./endpoint.ts";

/** As of an API key. */
const mostMailboxes = 100;

/** What the form of the consent page says. */
export interface Choice {
  /** `find`: show the mailboxes whose address has `find`. null: none of these. */
  decision: "allow" | "deny" | "find" | null;
  /** Some of those that were asked. */
  scopes: ReadonlySet<Scope>;
  /** Every mailbox, also those that the account will have. */
  every: boolean;
  mailboxIds: ReadonlySet<string>;
  find: string;
  /** The account that the page named: another one may have signed in meanwhile. null: not given. */
  account: string | null;
}

/** Before somebody has chosen: all that was asked is ticked. */
export function firstChoice(asked: readonly Scope[]): Choice {
  return {
    decision: null,
    scopes: new Set(asked),
    every: true,
    mailboxIds: new Set(),
    find: "",
    account: null,
  };
}

/**
 * The fields `scope` and `mailbox_id` (repeated), `mailboxes`, `find`, `account` and `decision`. Scopes that were not asked
 * are left out.
 */
export function choiceOf(form: Form, asked: readonly Scope[]): Choice {
  const given = new Set(form.all("scope"));
  const decision = form.optional("decision");
  return {
    decision: decision === "allow" || decision === "deny" || decision === "find" ? decision : null,
    scopes: new Set(asked.filter((scope) => given.has(scope))),
    every: form.optional("mailboxes") === "all",
    mailboxIds: new Set(form.all("mailbox_id")),
    find: (form.optional("find") ?? "").trim().toLowerCase(),
    account: form.optional("account") ?? null,
  };
}

/** Why a choice cannot be allowed, with the status of the answer; null if it can. */
export function problemOf(
  { decision, scopes, every, mailboxIds, account }: Choice,
  userId: string,
  mailboxes: readonly Mailbox[],
): { status: 400 | 404; text: string } | null {
  if (account !== null && account !== userId) {
    return { status: 400, text: "Another account has signed in meanwhile: look which one it is." };
  }
  if (decision === null) return { status: 400, text: "Choose Allow or Deny." };
  if (scopes.size === 0) {
    return { status: 400, text: "Nothing is ticked: choose what the app may do, or deny." };
  }
  if (every) return null;
  if (mailboxIds.size === 0) {
    return { status: 400, text: "No mailbox is ticked: choose at least one, or all." };
  }
  const own = new Set(mailboxes.map(({ mailboxId }) => mailboxId));
  if (![...mailboxIds].every((id) => own.has(id))) {
    return {
      status: 404,
      text: "A mailbox that was ticked does not exist any more. Choose again.",
    };
  }
  if (mailboxIds.size > mostMailboxes) {
    return { status: 400, text: `Choose at most ${mostMailboxes} mailboxes, or all.` };
  }
  return null;
}
