import { useRef, useState } from "preact/hooks";
import { addressesOf } from "../format.ts";
import { AttachButton, AttachedFiles, useFiles } from "../parts/files.tsx";
import { ConfirmAddress } from "../parts/confirm_address.tsx";
import { Dialog, Field, FormFoot, useSubmit } from "../parts/form.tsx";
import { MailboxChoice } from "../parts/mailbox_choice.tsx";
import { Empty } from "../parts/small.tsx";
import { emails } from "../resources.ts";
import { path } from "../router.ts";
import { mailboxes, mailboxesKnown, overlay, say } from "../state.ts";
import { forgetUnsent, formProps, sendOnce, unsentOf } from "../unsent.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { guideWords } from "./mail/guide_words.ts";

const close = () => overlay.value = null;
const discard = () => {
  forgetUnsent("compose");
  close();
};

/** A new message from one of the mailboxes. */
export default function Compose() {
  const unsent = useRef(unsentOf("compose")).current;
  // The values at first: the browser keeps the later ones.
  const written = useRef({ ...unsent.fields }).current;
  const [copies, setCopies] = useState(Boolean(written.cc || written.bcc));
  const files = useFiles(unsent);
  const { errors, busy, submit } = useSubmit(async (form) => {
    const field = (name: string) => String(form.get(name) ?? "");
    const cc = addressesOf(field("cc")), bcc = addressesOf(field("bcc"));
    const given = {
      mailbox_id: field("mailbox"),
      to: addressesOf(field("to")),
      ...cc.length > 0 ? { cc } : {},
      ...bcc.length > 0 ? { bcc } : {},
      subject: field("subject"),
      body_text: field("text"),
      ...await files.attachments(),
    };
    const sent = await sendOnce(unsent, (idempotency_key) => {
      return emails.send({ ...given, idempotency_key });
    });
    say(words.compose.outcome(sent));
    discard();
  }, ["to", "cc", "bcc", "subject", "body_text"]);
  const text = words.compose;
  if (mailboxesKnown.value && mailboxes.value.length === 0) {
    return (
      <Dialog title={text.title} onClose={close} wide>
        <Empty icon="inbox" title={guideWords.noMailbox}>
          <p>{guideWords.noMailboxLead}</p>
          <a class="button primary" href="/app/mailboxes" onClick={close}>
            {pageWords.mailboxes.create}
          </a>
        </Empty>
      </Dialog>
    );
  }
  return (
    <Dialog title={text.title} onClose={close} wide>
      <form onSubmit={submit} {...formProps(unsent)}>
        <ConfirmAddress />
        <Field label={text.from}>
          <MailboxChoice name="mailbox" chosen={written.mailbox ?? path.value[1]} />
        </Field>
        <Field label={text.to} error={errors.to}>
          <input
            name="to"
            defaultValue={written.to}
            required
            autofocus
            placeholder="ada@example.net, …"
            autocomplete="off"
          />
        </Field>
        {copies
          ? (
            <div class="two">
              <Field label={text.cc} error={errors.cc}>
                <input name="cc" defaultValue={written.cc} autocomplete="off" />
              </Field>
              <Field label={text.bcc} error={errors.bcc}>
                <input name="bcc" defaultValue={written.bcc} autocomplete="off" />
              </Field>
            </div>
          )
          : (
            <p>
              <button type="button" class="link" onClick={() => setCopies(true)}>
                {text.addCopies}
              </button>
            </p>
          )}
        <Field label={text.subject} error={errors.subject}>
          <input
            name="subject"
            defaultValue={written.subject}
            dir="auto"
            required
            maxLength={1_000}
            autocomplete="off"
          />
        </Field>
        <Field label={text.text} error={errors.body_text}>
          <textarea name="text" defaultValue={written.text} rows={9} required dir="auto" />
        </Field>
        <AttachedFiles files={files} />
        <AttachButton files={files} />
        <FormFoot
          onClose={discard}
          label={busy ? text.sending : text.send}
          error={errors.form}
          busy={busy}
        />
      </form>
    </Dialog>
  );
}
