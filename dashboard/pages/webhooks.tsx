import { AddButton } from "../parts/add_button.tsx";
import { useState } from "preact/hooks";
import { Confirm, Dialog, Field, FormFoot, useSubmit } from "../parts/form.tsx";
import { useKept } from "../parts/kept.ts";
import { useLoad } from "../parts/load.ts";
import {
  Code,
  Empty,
  IconButton,
  PageHead,
  Problem,
  Skeleton,
  Tag,
  Time,
} from "../parts/small.tsx";
import { ShownOnce } from "../parts/shown_once.tsx";
import { path } from "../router.ts";
import { may, sayProblem } from "../state.ts";
import type { CreatedWebhook, Webhook, WebhookInput } from "../types.ts";
import { MailboxPick } from "./webhooks/mailbox_pick.tsx";
import { Deliveries } from "./webhooks/deliveries.tsx";
import { webhooks } from "../resources.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";

const text = pageWords.webhooks;

export default function WebhooksPage() {
  const [, webhookId] = path.value;
  return webhookId ? <Deliveries key={webhookId} webhookId={webhookId} /> : <Webhooks />;
}

/** The webhooks, each active or not. */
function Webhooks() {
  const { data, error, reload } = useLoad(webhooks.list, []);
  const [making, setMaking] = useKept("new webhook", false);
  const [made, setMade] = useState<CreatedWebhook | null>(null);
  const [leaving, setLeaving] = useState<Webhook | null>(null);
  return (
    <div class="page">
      <PageHead title={words.pages.webhooks} lead={text.lead}>
        <AddButton operation="create_webhook" label={text.add} onClick={() => setMaking(true)} />
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && (
        <Empty icon="hook" title={text.none}>
          <p>{text.noneLead}</p>
          <Code title={text.posted} text={JSON.stringify(example, null, 2)} />
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul class="cards">
          {data.map((each) => (
            <WebhookRow
              key={each.webhook_id}
              webhook={each}
              changed={reload}
              leave={() => setLeaving(each)}
            />
          ))}
        </ul>
      )}
      {making && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={(webhook) => {
            setMaking(false);
            setMade(webhook);
            reload();
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={text.secretTitle}
          lead={text.secretLead}
          secret={made.secret}
          onClose={() => setMade(null)}
        />
      )}
      {leaving && (
        <Confirm
          title={text.deleteTitle}
          text={text.deleteText(leaving.url)}
          label={words.mail.delete}
          onConfirm={() => webhooks.delete(leaving.webhook_id).then(reload)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

const example = {
  event: "email.received",
  timestamp: "2026-11-21T10:00:00.000Z",
  data: { email_id: "0199…", thread_id: "0199…", subject: "Hello", from: "ada@example.net" },
};

function WebhookRow(
  { webhook, changed, leave }: { webhook: Webhook; changed: () => void; leave: () => void },
) {
  const { webhook_id, url, events, active, format, createdAt, mailbox_ids } = webhook;
  const turn = () =>
    webhooks.update(webhook_id, { active: !active }).catch(sayProblem).finally(changed);
  return (
    <li class="card-row">
      <a class="card-main" href={`/app/webhooks/${webhook_id}`}>
        <span class="mono strong">{url}</span>
        <span class="muted">
          {events.join(", ")}
          {mailbox_ids && ` · ${text.ofMailboxes(mailbox_ids.length)}`} · {text.since}{" "}
          <Time at={createdAt} />
        </span>
      </a>
      {format === "slack" && <Tag>{text.slackTag}</Tag>}
      <Tag tone={active ? "ok" : "plain"}>{active ? text.active : text.off}</Tag>
      {may("update_webhook") && (
        <button type="button" class="button small" onClick={turn}>
          {active ? text.turnOff : text.turnOn}
        </button>
      )}
      {may("delete_webhook") && (
        <IconButton icon="trash" label={text.deleteOne(url)} onClick={leave} />
      )}
    </li>
  );
}

/** On until they are turned off. */
const usual: readonly string[] = ["email.received", "email.processed"];

function NewWebhook(
  { onClose, onMade }: { onClose: () => void; onMade: (webhook: CreatedWebhook) => void },
) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    onMade(
      await webhooks.create({
        url: String(form.get("url")),
        events: form.getAll("event") as WebhookInput["events"],
        retry: form.get("extended") ? "extended" : "standard",
        format: form.get("slack") ? "slack" : "json",
        mailbox_ids: form.get("some") ? form.getAll("mailbox").map(String) : null,
      }),
    );
  }, ["url", "events", "mailbox_ids"]);
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
          {errors.events && <p class="field-error" role="alert">{errors.events}</p>}
        </fieldset>
        <MailboxPick error={errors.mailbox_ids} />
        <label class="check">
          <input type="checkbox" name="extended" value="yes" />
          <span>
            {text.extended}
            <span class="muted">{text.extendedHint}</span>
          </span>
        </label>
        <label class="check">
          <input type="checkbox" name="slack" value="yes" />
          <span>
            {text.slack}
            <span class="muted">{text.slackHint}</span>
          </span>
        </label>
        <FormFoot onClose={onClose} label={text.add} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
