import { useState } from "preact/hooks";
import { mailboxes } from "../../state.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const text = pageWords.webhooks;

/** All mailboxes, or some of them: the fields `some` and, of each chosen one, `mailbox`. */
export function MailboxPick({ error }: { error?: string }) {
  const [some, setSome] = useState(false);
  const [part, setPart] = useState("");
  const all = mailboxes.value;
  if (all.length < 2) return null;
  const wanted = part.trim().toLowerCase();
  return (
    <fieldset class="choices">
      <legend>{text.mailboxes}</legend>
      <label class="check">
        <input type="radio" name="some" value="" checked={!some} onChange={() => setSome(false)} />
        {text.allMailboxes}
      </label>
      <label class="check">
        <input type="radio" name="some" value="yes" checked={some} onChange={() => setSome(true)} />
        {text.someMailboxes}
      </label>
      {some && (
        <>
          {all.length > 8 && (
            <input
              type="search"
              value={part}
              aria-label={words.findMailbox}
              placeholder={words.findMailbox}
              onInput={({ currentTarget }) => setPart(currentTarget.value)}
            />
          )}
          <div class="pick" tabIndex={0} role="group" aria-label={text.mailboxes}>
            {all.map(({ mailbox_id, email_address }) => (
              // A chosen one that is not found now stays chosen.
              <label key={mailbox_id} class="check" hidden={!email_address.includes(wanted)}>
                <input type="checkbox" name="mailbox" value={mailbox_id} />
                <span class="mono">{email_address}</span>
              </label>
            ))}
          </div>
        </>
      )}
      {error && <p class="field-error" role="alert">{error}</p>}
    </fieldset>
  );
}
