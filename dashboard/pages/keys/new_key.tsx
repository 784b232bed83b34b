import { useState } from "preact/hooks";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { MailboxChoice } from "../../parts/mailbox_choice.tsx";
import { keys } from "../../resources.ts";
import { account } from "../../state.ts";
import type { CreatedKey, KeyInput } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { searchWords } from "../search/search_words.ts";

const text = pageWords.keyPage;
/** On until they are turned off. */
const usual: readonly string[] = ["emails:read", "emails:send", "search"];

export function NewKey(
  { onClose, onMade }: { onClose: () => void; onMade: (key: CreatedKey) => void },
) {
  const [all, setAll] = useState(true);
  const { errors, busy, submit } = useSubmit(async (form) => {
    const days = Number(form.get("days"));
    const box = String(form.get("mailbox") ?? "");
    const limit = Number(form.get("limit"));
    onMade(
      await keys.create({
        name: String(form.get("name")),
        ...days > 0 ? { expirationDays: days } : {},
        ...all ? {} : { scopes: form.getAll("scope") as KeyInput["scopes"] },
        ...box ? { mailboxIds: [box] } : {},
        ...limit > 0 ? { requestsPerMinute: limit } : {},
      }),
    );
  }, ["name", "requestsPerMinute"]);
  return (
    <Dialog title={text.create} onClose={onClose} keepAs="key">
      <form onSubmit={submit}>
        <Field label={text.columns.name} hint={text.nameHint} error={errors.name}>
          <input name="name" required maxLength={100} placeholder="support-agent" />
        </Field>
        <div class="two">
          <Field label={text.columns.expires}>
            <select name="days">
              {text.expiries.map(([days, label]) => (
                <option key={label} value={days}>{label}</option>
              ))}
            </select>
          </Field>
          <Field label={text.mailbox}>
            <MailboxChoice name="mailbox" none={searchWords.allMailboxes} />
          </Field>
        </div>
        <Field label={text.limit} hint={text.limitHint} error={errors.requestsPerMinute}>
          <input
            name="limit"
            type="number"
            inputMode="numeric"
            min={1}
            max={account.value?.limits.requestsPerMinute ?? undefined}
          />
        </Field>
        <fieldset class="choices">
          <legend>{text.columns.may}</legend>
          <label class="check">
            <input
              type="radio"
              name="which"
              value="all"
              checked={all}
              onChange={() => setAll(true)}
            />
            <span>{text.everythingUsual}</span>
          </label>
          <label class="check">
            <input
              type="radio"
              name="which"
              value="chosen"
              checked={!all}
              onChange={() => setAll(false)}
            />
            <span>{text.onlyChosen}</span>
          </label>
          {!all && <Scopes />}
        </fieldset>
        <FormFoot onClose={onClose} label={text.create} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}

function Scopes() {
  return (
    <div class="grid">
      {text.scopes.map(([name, meaning]) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            name="scope"
            value={name}
            defaultChecked={usual.includes(name)}
          />
          <span>
            {meaning}
            <code class="muted">{name}</code>
          </span>
        </label>
      ))}
    </div>
  );
}
