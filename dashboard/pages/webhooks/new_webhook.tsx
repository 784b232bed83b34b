import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { webhooks } from "../../resources.ts";
import type { CreatedWebhook, WebhookInput } from "../../types.ts";
import { words } from "../../words.ts";

const text = words.webhooks;
/** On until they are turned off. */
const usual: readonly string[] = ["email.received", "email.processed"];

export function NewWebhook(
  { onClose, onMade }: { onClose: () => void; onMade: (webhook: CreatedWebhook) => void },
) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    onMade(
      await webhooks.create({
        url: String(form.get("url")),
        events: form.getAll("event") as WebhookInput["events"],
        retry: form.get("extended") ? "extended" : "standard",
      }),
    );
  }, ["url"]);
  return (
    <Dialog title={text.add} onClose={onClose} keepAs="webhook">
      <form onSubmit={submit}>
        <Field label={text.url} error={errors.url}>
          <input name="url" type="url" required placeholder="https://agent.example.com/mail" />
        </Field>
        <fieldset class="choices">
          <legend>{text.events}</legend>
          {text.eventMeanings.map(([name, meaning]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                name="event"
                value={name}
                defaultChecked={usual.includes(name)}
              />
              <span>
                <code>{name}</code>
                <span class="muted">{meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label class="check">
          <input type="checkbox" name="extended" value="yes" />
          <span>
            {text.extended}
            <span class="muted">{text.extendedHint}</span>
          </span>
        </label>
        <FormFoot onClose={onClose} label={text.add} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
