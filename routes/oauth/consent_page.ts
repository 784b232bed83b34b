import { html, raw } from "hono/html";
import type { Scope } from "../../domain/core/caller.ts";
import type { Mailbox } from "../../domain/mailboxes/mailbox.ts";
import type { Choice } from "./choice.ts";
import type { Html } from "./page.ts";
import { scopeSentences } from "./scope_sentences.ts";

/** An account may have thousands of mailboxes. More are found by a part of their address. */
const mostShown = 50;

export interface Asked {
  /** A stranger's text, in one line. */
  clientName: string;
  /** Of the redirect: who gets the access. */
  host: string;
  account: { userId: string; email: string };
  /** The scopes that were asked and can be granted. */
  scopes: readonly Scope[];
  mailboxes: readonly Mailbox[];
  /** Path and query to which the form is posted. */
  action: string;
}

/**
 * The question whether an app may use the account. `choice`: what is ticked. `problem`: why the choice before did not
 * suffice.
 */
export function consentPage(asked: Asked, choice: Choice, problem: string | null): Html {
  const { clientName, host, account, scopes, action } = asked;
  return html`
    <h1>Connect an app to your mail</h1>
    ${problem && html`<p class="error" role="alert" tabindex="-1" autofocus>${problem}</p>`}
    <dl class="facts">
      <div>
        <dt>App</dt>
        <dd><bdi>${clientName}</bdi></dd>
      </div>
      <div>
        <dt>Host</dt>
        <dd>${host}</dd>
      </div>
      <div>
        <dt>Account</dt>
        <dd>${account.email}</dd>
      </div>
    </dl>
    <p class="muted">${warning(host)}</p>
    <form method="post" action="${action}">
    <input type="hidden" name="account" value="${account.userId}">
    <fieldset>
    <legend>The app may</legend>
    ${scopes.map((scope) => {
      const label = scopeSentences[scope] ?? scope;
      return choiceOf("checkbox", "scope", scope, choice.scopes.has(scope), label);
    })}
    </fieldset>
    ${mailboxesOf(asked.mailboxes, choice)}
    <footer>
    <button class="button" name="decision" value="deny">Deny</button>
    <button class="button primary" name="decision" value="allow">Allow</button>
    </footer>
    </form>
    <p class="muted">It keeps this access until you disconnect it under
    <a href="/app/apps">Connected apps</a>.</p>
  `;
}

function warning(host: string): Html {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host)
    ? html`Any program can take this name. <b>${host}</b> is your own computer: allow this only if you
are connecting a program on it now.`
    : html`Anybody can take this name. Allow this only if you are connecting this app now, and
<b>${host}</b> belongs to it.`;
}

function choiceOf(
  type: "checkbox" | "radio",
  name: string,
  value: string,
  checked: boolean,
  label: string | Html,
): Html {
  return html`
    <label
      class="choice"><input type="${type}" name="${name}" value="${value}"${checked
        ? raw(" checked")
        : ""}><span>${label}</span></label>
  `;
}

function mailboxesOf(mailboxes: readonly Mailbox[], choice: Choice): Html {
  const { every, find } = choice;
  if (mailboxes.length === 0) {
    return html`<fieldset><legend>Mailboxes</legend>${
      choiceOf("radio", "mailboxes", "all", true, "All mailboxes that you make: you have none yet")
    }</fieldset>`;
  }
  const { shown, hidden } = shownOf(mailboxes, choice);
  return html`<fieldset>
<legend>Mailboxes</legend>
${choiceOf("radio", "mailboxes", "all", every, "All mailboxes, later ones too")}
${choiceOf("radio", "mailboxes", "some", !every, "Only these")}
<div class="boxes" role="group" aria-label="Addresses">
${
    mailboxes.length > mostShown && html`<p class="find">
<input type="search" name="find" value="${find}" maxlength="254" aria-label="Part of an address"
placeholder="Part of an address" autocapitalize="off" autocomplete="off" spellcheck="false">
<button class="button" name="decision" value="find">Find</button></p>`
  }
<div class="list">${
    shown.map(({ mailboxId, address }) =>
      choiceOf("checkbox", "mailbox_id", mailboxId, choice.mailboxIds.has(mailboxId), address)
    )
  }</div>
${
    hidden > 0 &&
    html`<p class="muted">${hidden.toLocaleString("en")} more ${
      hidden === 1 ? "mailbox is" : "mailboxes are"
    } not shown: find them by a part of their address.</p>`
  }
</div>
</fieldset>`;
}

/** The chosen mailboxes, then others whose address has the text that is looked for. */
function shownOf(mailboxes: readonly Mailbox[], { mailboxIds, find }: Choice) {
  const chosen = mailboxes.filter(({ mailboxId }) => mailboxIds.has(mailboxId));
  const others = mailboxes.filter(({ mailboxId, address }) =>
    !mailboxIds.has(mailboxId) && address.includes(find)
  );
  const shown = [...chosen, ...others.slice(0, mostShown)];
  return { shown, hidden: mailboxes.length - shown.length };
}
