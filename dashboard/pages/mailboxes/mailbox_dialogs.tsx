import { useState } from "preact/hooks";
import { number } from "../../format.ts";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { useLoad } from "../../parts/load.ts";
import { domains, mailboxes } from "../../resources.ts";
import { account, reloadMailboxes, say } from "../../state.ts";
import type { Mailbox } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";

const text = pageWords.mailboxes;

/** Makes a mailbox, or gives `box` another address. */
export function MailboxForm({ box, onClose }: { box?: Mailbox; onClose: () => void }) {
  const own = useLoad(domains.list, []);
  const [local, domain] = (box?.email_address ?? "").split("@");
  const { errors, busy, submit } = useSubmit(async (form) => {
    const given = {
      local_part: String(form.get("local")).trim(),
      domain: String(form.get("domain")),
    };
    if (box) await mailboxes.rename(box.mailbox_id, given);
    else await mailboxes.create(given);
    await reloadMailboxes();
    say(box ? text.renamed : text.created);
    onClose();
  }, ["local_part"]);
  const verified = (own.data?.data ?? []).filter((each) => each.verified);
  const names = new Set([
    // Its own stays chosen also if the others are not loaded, or it is verified no more.
    ...domain ? [domain] : [],
    ...account.value!.sharedDomains,
    ...verified.map((each) => each.domain_name),
  ]);
  const title = box ? text.renameTitle : text.create;
  return (
    <Dialog title={title} onClose={onClose} keepAs={`address ${box?.mailbox_id}`}>
      <form onSubmit={submit}>
        {box && <p>{text.renameLead}</p>}
        <Field label={text.address} hint={text.addressHint} error={errors.local_part}>
          <span class="joined">
            <input
              name="local"
              required
              defaultValue={local}
              placeholder="support-agent"
              autocapitalize="off"
              autocomplete="off"
              spellcheck={false}
              aria-label={text.localPart}
            />
            <select name="domain" aria-label={text.domain}>
              {[...names].map((each) => (
                <option key={each} value={each} selected={each === domain}>@{each}</option>
              ))}
            </select>
          </span>
        </Field>
        <FormFoot
          onClose={onClose}
          label={box ? text.rename : text.create}
          error={errors.form}
          busy={busy}
        />
      </form>
    </Dialog>
  );
}

/** The service asks for the address once more, because a deletion is permanent. */
export function DeleteMailbox({ box, onClose }: { box: Mailbox; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const { errors, busy, submit } = useSubmit(async () => {
    await mailboxes.delete(box.mailbox_id, typed);
    await reloadMailboxes();
    onClose();
  }, ["confirm_email_address"]);
  return (
    <Dialog title={text.deleteTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          {text.deleteLead(number(box.email_count))}{" "}
          <strong class="mono">{box.email_address}</strong> {text.toConfirm}
        </p>
        <Field label={text.address} error={errors.confirm_email_address}>
          <input
            value={typed}
            autocomplete="off"
            autocapitalize="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
        <FormFoot
          onClose={onClose}
          label={text.deleteForEver}
          error={errors.form}
          busy={busy}
          danger
          disabled={typed !== box.email_address}
        />
      </form>
    </Dialog>
  );
}
