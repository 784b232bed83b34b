import { useRef, useState } from "preact/hooks";
import { addressesOf } from "../../format.ts";
import { ConfirmAddress } from "../../parts/confirm_address.tsx";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { emails } from "../../resources.ts";
import { say } from "../../state.ts";
import type { FullEmail } from "../../types.ts";
import { forgetUnsent, formProps, sendOnce, unsentOf } from "../../unsent.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const text = pageWords.forward;

/** Sends a message on, in the name of the mailbox that has it. */
export function Forward({ email, onClose }: { email: FullEmail; onClose: () => void }) {
  const name = `forward ${email.email_id}`;
  const unsent = useRef(unsentOf(name)).current;
  // The values at first: the browser keeps the later ones.
  const written = useRef({ ...unsent.fields }).current;
  const [as, setAs] = useState(written.as === "attachment" ? "attachment" : "inline");
  const discard = () => {
    forgetUnsent(name);
    onClose();
  };
  const { errors, busy, submit } = useSubmit(async (form) => {
    const field = (name: string) => String(form.get(name) ?? "");
    const cc = addressesOf(field("cc"));
    const isInline = field("as") === "inline";
    const sent = await sendOnce(unsent, (idempotency_key) =>
      emails.forward(email.email_id, {
        to: addressesOf(field("to")),
        ...cc.length > 0 ? { cc } : {},
        ...field("text").trim() ? { body_text: field("text") } : {},
        as: isInline ? "inline" : "attachment",
        ...isInline ? { include_attachments: form.get("files") === "on" } : {},
        idempotency_key,
      }));
    say(words.compose.outcome(sent));
    discard();
  }, ["to", "cc", "body_text"]);
  return (
    <Dialog title={words.thread.forward} onClose={onClose} wide>
      <form onSubmit={submit} {...formProps(unsent)}>
        <ConfirmAddress />
        <Field label={words.compose.to} error={errors.to}>
          <input
            name="to"
            defaultValue={written.to}
            required
            autofocus
            placeholder="ada@example.net, …"
            autocomplete="off"
          />
        </Field>
        <Field label={words.compose.cc} error={errors.cc}>
          <input name="cc" defaultValue={written.cc} autocomplete="off" />
        </Field>
        <Field label={text.text} error={errors.body_text}>
          <textarea name="text" defaultValue={written.text} rows={4} dir="auto" />
        </Field>
        <fieldset class="choices">
          <legend>{text.as}</legend>
          {(["inline", "attachment"] as const).map((each) => (
            <label key={each} class="check">
              <input
                type="radio"
                name="as"
                value={each}
                checked={as === each}
                onChange={() => setAs(each)}
              />
              {text[each]}
            </label>
          ))}
        </fieldset>
        {as === "inline" && email.attachments.length > 0 && (
          <label class="check">
            <input type="checkbox" name="files" defaultChecked />
            {text.files(email.attachments.length)}
          </label>
        )}
        <FormFoot
          onClose={discard}
          label={busy ? words.compose.sending : words.compose.send}
          error={errors.form}
          busy={busy}
        />
      </form>
    </Dialog>
  );
}
