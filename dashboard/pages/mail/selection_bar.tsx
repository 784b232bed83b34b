import { useState } from "preact/hooks";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { IconButton } from "../../parts/small.tsx";
import {
  deleteWithUndo,
  isReceived,
  receivedTargets,
  selectedEmails,
  selectNone,
  targets,
  update,
} from "../../selection.ts";
import { may, sayProblem } from "../../state.ts";
import { words } from "../../words.ts";

/** The actions for the selected rows. */
export function SelectionBar() {
  const [labelling, setLabelling] = useState(false);
  const emails = selectedEmails.value;
  if (emails.length === 0) return null;
  const text = words.mail;
  const received = emails.filter(isReceived);
  const areRead = received.every(({ is_read }) => is_read);
  return (
    <div class="selection" role="toolbar" aria-label={text.selection}>
      <span class="strong num" role="status">{text.selected(emails.length)}</span>
      {may("update_emails") && (
        <>
          {received.length > 0 && (
            <IconButton
              icon={areRead ? "mailShut" : "mailOpen"}
              label={areRead ? text.markUnread : text.markRead}
              hint
              onClick={() =>
                void update(receivedTargets(), { is_read: !areRead }).catch(sayProblem)}
            />
          )}
          <IconButton icon="tag" label={text.labels} hint onClick={() => setLabelling(true)} />
        </>
      )}
      {may("delete_email") && (
        <IconButton
          icon="trash"
          label={text.delete}
          hint
          onClick={() => deleteWithUndo(targets())}
        />
      )}
      <IconButton icon="close" label={text.selectNone} hint onClick={selectNone} />
      {labelling && <LabelDialog emailIds={targets()} onClose={() => setLabelling(false)} />}
    </div>
  );
}

/** Adds and removes labels of emails. */
export function LabelDialog(
  { emailIds, present = [], onClose, onDone }: {
    emailIds: string[];
    present?: string[];
    onClose: () => void;
    onDone?: () => void;
  },
) {
  const labels = present.length > 0
    ? present
    : [...new Set(selectedEmails.value.flatMap((each) => each.labels))].sort();
  const { errors, busy, submit } = useSubmit(async (form) => {
    const added = String(form.get("label")).split(/[\s,]+/).filter(Boolean);
    const removed = labels.filter((label) => !form.getAll("keep").includes(label));
    if (added.length + removed.length > 0) {
      await update(emailIds, {
        ...added.length > 0 ? { add_labels: added } : {},
        ...removed.length > 0 ? { remove_labels: removed } : {},
      });
    }
    onDone?.();
    onClose();
  }, ["add_labels"]);
  return (
    <Dialog title={words.mail.labels} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={words.mail.addLabels} hint={words.mail.labelHint} error={errors.add_labels}>
          <input name="label" autocomplete="off" autocapitalize="off" spellcheck={false} />
        </Field>
        {labels.length > 0 && (
          <fieldset class="choices">
            <legend>{words.mail.presentLabels}</legend>
            {labels.map((label) => (
              <label key={label} class="check">
                <input type="checkbox" name="keep" value={label} defaultChecked />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
        )}
        <FormFoot onClose={onClose} label={words.save} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
