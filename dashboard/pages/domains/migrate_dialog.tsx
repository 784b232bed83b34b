import { useState } from "preact/hooks";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { domains } from "../../resources.ts";
import { account, reloadMailboxes, say } from "../../state.ts";
import type { Domain, Migration } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";

const text = pageWords.domains;

/** Moves every mailbox of a domain to another one: shows what would happen, and moves after a second confirmation. */
export function MigrateDialog(
  { domain, onClose, onDone }: { domain: Domain; onClose: () => void; onDone: () => void },
) {
  const [preview, setPreview] = useState<Migration | null>(null);
  const [target, setTarget] = useState(account.value!.sharedDomains[0] ?? "");
  const { errors, busy, submit } = useSubmit(async () => {
    const answer = await domains.migrate(domain.domain_id, {
      target_domain: target.trim(),
      dry_run: preview === null,
    });
    if (preview === null) return setPreview(answer);
    await reloadMailboxes();
    say(text.migrated(answer.migrated_count));
    onDone();
    onClose();
  }, ["target_domain"]);
  return (
    <Dialog title={text.migrateTitle(domain.domain_name)} onClose={onClose} wide>
      <form onSubmit={submit}>
        <Field label={text.target} hint={text.targetHint} error={errors.target_domain}>
          <input
            value={target}
            required
            list="targets"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => {
              setTarget(event.currentTarget.value);
              setPreview(null);
            }}
          />
        </Field>
        <datalist id="targets">
          {account.value!.sharedDomains.map((each) => <option key={each} value={each} />)}
        </datalist>
        {preview && <Moves preview={preview} />}
        <FormFoot
          onClose={onClose}
          label={preview ? text.moveNow(preview.migrated_count) : text.preview}
          error={errors.form}
          busy={busy}
        />
      </form>
    </Dialog>
  );
}

function Moves({ preview }: { preview: Migration }) {
  return (
    <ul class="moves">
      {preview.migrations.map(({ mailbox_id, from_email, to_email, renamed }) => (
        <li key={mailbox_id}>
          <code>{from_email}</code> → <code>{to_email}</code>
          {renamed && <span class="chip wait">{text.renamed}</span>}
        </li>
      ))}
    </ul>
  );
}
