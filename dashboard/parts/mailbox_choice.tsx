import { useId, useState } from "preact/hooks";
import { mailboxes, mailboxOf } from "../state.ts";
import { pageWords } from "./page_words.ts";

/** With more mailboxes than this, one is found by a part of its address: a menu of thousands is slow and of no use. */
const mostInMenu = 100;
const mostSuggested = 50;

interface Choice {
  /** Of the form's field; its value is the mailbox_id. */
  name: string;
  chosen?: string;
  /** The words for all of them, with the value "". Without it one must be chosen. */
  none?: string;
}

/** Chooses one of the mailboxes. */
export function MailboxChoice(choice: Choice) {
  return mailboxes.value.length > mostInMenu ? <Finder {...choice} /> : <Menu {...choice} />;
}

function Menu({ name, chosen, none }: Choice) {
  return (
    <select name={name}>
      {none && <option value="">{none}</option>}
      {mailboxes.value.map(({ mailbox_id, email_address }) => (
        <option key={mailbox_id} value={mailbox_id} selected={mailbox_id === chosen}>
          {email_address}
        </option>
      ))}
    </select>
  );
}

function Finder({ name, chosen = "", none }: Choice) {
  const list = useId();
  const first = mailboxOf(chosen) ?? (none ? undefined : mailboxes.value[0]);
  const [typed, setTyped] = useState(first?.email_address ?? "");
  const part = typed.trim().toLowerCase();
  const found = mailboxes.value.filter(({ email_address }) => email_address.includes(part));
  const exact = found.find(({ email_address }) => email_address === part);
  return (
    <>
      <input
        ref={(input) => input?.setCustomValidity(part && !exact ? pageWords.mailboxes.notOne : "")}
        type="search"
        name={`${name}-address`}
        list={list}
        value={typed}
        required={!none}
        placeholder={none ?? pageWords.mailboxes.find}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <datalist id={list}>
        {found.slice(0, mostSuggested).map(({ mailbox_id, email_address }) => (
          <option key={mailbox_id} value={email_address} />
        ))}
      </datalist>
      <input type="hidden" name={name} value={exact?.mailbox_id ?? ""} />
    </>
  );
}
