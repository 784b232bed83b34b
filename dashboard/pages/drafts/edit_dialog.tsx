import { addressesOf } from "../../format.ts";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { drafts } from "../../resources.ts";
import { remember, seenOf } from "../../seen.ts";
import { say } from "../../state.ts";
import type { Draft, DraftChanges } from "../../types.ts";
import { draftWords } from "./draft_words.ts";
import { words } from "../../words.ts";

const text = draftWords;

/** Changes recipients, subject and text. Only what was changed is sent: the record has marks for what is not seen. */
export function EditDialog(
  { draft, onClose, onDone }: { draft: Draft; onClose: () => void; onDone: () => void },
) {
  const before = {
    to: draft.to.join(", "),
    cc: draft.cc.join(", "),
    bcc: draft.bcc.join(", "),
    subject: draft.subject,
    body_text: draft.body_text ?? "",
  };
  const { errors, busy, submit } = useSubmit(async (form) => {
    const changes: DraftChanges = {};
    for (const name of ["to", "cc", "bcc"] as const) {
      const value = String(form.get(name) ?? "");
      if (value !== before[name]) changes[name] = addressesOf(value);
    }
    const subject = String(form.get("subject") ?? "");
    if (subject !== before.subject) changes.subject = subject;
    // A browser has CRLF in the value of a form.
    const body = String(form.get("body_text") ?? "").replaceAll("\r\n", "\n");
    if (form.has("body_text") && body !== before.body_text.replaceAll("\r\n", "\n")) {
      Object.assign(changes, { body_text: body, body_html: null });
    }
    if (Object.keys(changes).length > 0) {
      // What one has written oneself is no news.
      remember(seenOf(await drafts.update(draft.draft_id, changes)));
      say(text.edited);
    }
    onClose();
    onDone();
  }, ["to", "cc", "bcc", "subject", "body_text"]);
  return (
    <Dialog title={text.editTitle} onClose={onClose} wide keepAs={`edit ${draft.draft_id}`}>
      <form onSubmit={submit}>
        <Field label={words.compose.to} error={errors.to}>
          <input name="to" defaultValue={before.to} required autocomplete="off" />
        </Field>
        <div class="two">
          <Field label={words.compose.cc} error={errors.cc}>
            <input name="cc" defaultValue={before.cc} autocomplete="off" />
          </Field>
          <Field label={words.compose.bcc} error={errors.bcc}>
            <input name="bcc" defaultValue={before.bcc} autocomplete="off" />
          </Field>
        </div>
        <Field label={words.compose.subject} error={errors.subject}>
          <input
            name="subject"
            defaultValue={before.subject}
            dir="auto"
            maxLength={1_000}
            autocomplete="off"
          />
        </Field>
        {draft.truncated ? <p class="muted">{text.editCut}</p> : (
          <Field
            label={words.compose.text}
            error={errors.body_text}
            hint={draft.body_html === null ? undefined : text.editHtml}
          >
            <textarea name="body_text" defaultValue={before.body_text} rows={9} dir="auto" />
          </Field>
        )}
        <FormFoot onClose={onClose} label={words.save} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
