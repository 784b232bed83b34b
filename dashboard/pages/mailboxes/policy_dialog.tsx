import { addressesOf } from "../../format.ts";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton } from "../../parts/small.tsx";
import { mailboxes } from "../../resources.ts";
import { say } from "../../state.ts";
import type { Mailbox, Policy } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const text = pageWords.policy;
const lists = [
  "allow_recipients",
  "block_recipients",
  "allow_senders",
  "block_senders",
] as const satisfies readonly (keyof Policy)[];

/** The policy of a mailbox: its recipients, its senders, and how long it keeps mail. */
export function PolicyDialog({ box, onClose }: { box: Mailbox; onClose: () => void }) {
  const { data, error, reload } = useLoad(() => mailboxes.policy(box.mailbox_id), []);
  return (
    <Dialog
      title={text.title(box.email_address)}
      onClose={onClose}
      wide
      keepAs={`policy ${box.mailbox_id}`}
    >
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && <PolicyForm box={box} policy={data} onClose={onClose} />}
    </Dialog>
  );
}

function PolicyForm(
  { box, policy, onClose }: { box: Mailbox; policy: Policy; onClose: () => void },
) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    const days = String(form.get("retention_days") ?? "").trim();
    await mailboxes.setPolicy(box.mailbox_id, {
      approval: form.get("approval") as Policy["approval"],
      retention_days: days === "" ? null : Number(days),
      ...Object.fromEntries(lists.map((name) => [name, addressesOf(String(form.get(name)))])),
    });
    say(text.saved);
    onClose();
  }, [...lists, "retention_days"]);
  return (
    <form onSubmit={submit}>
      <Field label={text.approval} hint={text.approvalHint}>
        <select name="approval">
          {text.approvals.map(([value, label]) => (
            <option key={value} value={value} selected={value === policy.approval}>{label}</option>
          ))}
        </select>
      </Field>
      <div class="two">
        {lists.map((name) => (
          <Field key={name} label={text.lists[name]} error={errors[name]}>
            <textarea
              name={name}
              rows={3}
              defaultValue={policy[name].join("\n")}
              placeholder={text.listHint}
              autocapitalize="off"
              spellcheck={false}
            />
          </Field>
        ))}
      </div>
      <Field label={text.retention} hint={text.retentionHint} error={errors.retention_days}>
        <input
          name="retention_days"
          type="number"
          min={1}
          max={3_650}
          defaultValue={policy.retention_days ?? ""}
        />
      </Field>
      <FormFoot onClose={onClose} label={words.save} error={errors.form} busy={busy} />
    </form>
  );
}
