import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton } from "../../parts/small.tsx";
import { mailboxes } from "../../resources.ts";
import { account, say } from "../../state.ts";
import type { Mailbox, MailboxDetail } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const text = pageWords.mailboxDetails;

/** The name and the signature of a mailbox, and whether it is the catch-all of its domain. */
export function DetailsDialog({ box, onClose }: { box: Mailbox; onClose: () => void }) {
  const { data, error, reload } = useLoad(() => mailboxes.details(box.mailbox_id), []);
  return (
    <Dialog
      title={text.title(box.email_address)}
      onClose={onClose}
      keepAs={`details ${box.mailbox_id}`}
    >
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && <DetailsForm box={data} onClose={onClose} />}
    </Dialog>
  );
}

function DetailsForm({ box, onClose }: { box: MailboxDetail; onClose: () => void }) {
  const isShared = account.value!.sharedDomains.includes(box.domain);
  const { errors, busy, submit } = useSubmit(async (form) => {
    await mailboxes.setDetails(box.mailbox_id, {
      display_name: String(form.get("display_name")),
      signature: String(form.get("signature")),
      ...isShared ? {} : { catch_all: form.get("catch_all") === "on" },
    });
    say(text.saved);
    onClose();
  }, ["display_name", "signature"]);
  return (
    <form onSubmit={submit}>
      <Field label={text.name} hint={text.nameHint} error={errors.display_name}>
        <input name="display_name" maxLength={100} defaultValue={box.display_name ?? ""} />
      </Field>
      <Field label={text.signature} hint={text.signatureHint} error={errors.signature}>
        <textarea
          name="signature"
          rows={4}
          maxLength={2_000}
          defaultValue={box.signature ?? ""}
        />
      </Field>
      {!isShared && (
        <label class="check">
          <input type="checkbox" name="catch_all" defaultChecked={box.catch_all} />
          {text.catchAll(box.domain)}
        </label>
      )}
      <FormFoot onClose={onClose} label={words.save} error={errors.form} busy={busy} />
    </form>
  );
}
