import { useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { Code, Copy, Empty } from "../../parts/small.tsx";
import { emails } from "../../resources.ts";
import {
  account,
  connects,
  mailboxes,
  mailboxesKnown,
  mailboxOf,
  may,
  say,
  sayProblem,
} from "../../state.ts";
import { firstMail, mcpConfig, mcpUrl } from "../../onboarding.ts";
import type { Mailbox } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

/** An empty mailbox says how mail gets in, with its own address filled in. */
export function EmptyMailbox(
  { mailboxId, direction }: { mailboxId: string; direction?: "inbound" | "outbound" },
) {
  const box = mailboxOf(mailboxId) ?? mailboxes.value[0];
  const me = account.value!;
  const text = words.guide;
  if (direction === "outbound") {
    return (
      <Empty icon="pen" title={text.nothingSent}>
        <p>{text.nothingSentLead}</p>
      </Empty>
    );
  }
  if (!box) {
    if (!mailboxesKnown.value) return null;
    return (
      <Empty icon="inbox" title={text.noMailbox}>
        <p>{text.noMailboxLead}</p>
        {may("create_mailbox") && (
          <a class="button primary" href="/app/mailboxes">{pageWords.mailboxes.create}</a>
        )}
      </Empty>
    );
  }
  return (
    <div class="guide">
      <h2>{text.title}</h2>
      <p class="muted">
        {text.sendTo}{" "}
        <span class="copy-inline">
          <code>{box.email_address}</code>
          <Copy bare text={box.email_address} label={words.mail.copyAddress} />
        </span>{" "}
        {text.appears}
      </p>
      {may("send_email") && <SendFirst box={box} />}
      <ol class="steps">
        <li>
          <h3>{text.deliver}</h3>
          <p class="muted">{text.deliverLead}{me.inboundHint ? ` ${me.inboundHint}` : ""}</p>
          <Code title={text.terminal} text={firstMail(me, box.email_address)} />
        </li>
        <li>
          <h3>{text.read}</h3>
          <p class="muted">{text.readLead}{connects ? ` ${text.byUrl}` : ""}</p>
          {connects && <Code title={pageWords.apps.url} text={mcpUrl(me)} />}
          <p>
            {connects ? `${text.byKey} ` : ""}
            <a href="/app/keys">{text.makeKey}</a>
          </p>
          <Code title={pageWords.keyPage.client} text={mcpConfig(me)} />
        </li>
        <li>
          <h3>{text.tell}</h3>
          <p class="muted">{text.tellLead}</p>
          <p>
            <a href="/app/webhooks">
              {text.makeWebhook} <Icon name="hook" size={13} />
            </a>
          </p>
        </li>
      </ol>
    </div>
  );
}

/** A mail from the mailbox to itself: it comes in without a terminal, and without a relay. */
function SendFirst({ box }: { box: Mailbox }) {
  const [busy, setBusy] = useState(false);
  const send = () => {
    setBusy(true);
    emails.send({
      mailbox_id: box.mailbox_id,
      to: [box.email_address],
      subject: words.guide.firstSubject,
      body_text: words.guide.firstText,
    }).then((sent) => say(words.compose.outcome(sent)), sayProblem).finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button primary" disabled={busy} onClick={send}>
      <Icon name="pen" size={16} />
      {words.guide.sendFirst}
    </button>
  );
}
