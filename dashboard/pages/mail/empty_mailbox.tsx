import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { useLoad } from "../../parts/load.ts";
import { Code, Copy, Empty, Tag } from "../../parts/small.tsx";
import { apps, emails, keys, webhooks } from "../../resources.ts";
import {
  account,
  beginGuide,
  connects,
  endGuide,
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
import { guideWords } from "./guide_words.ts";

/**
 * An empty mailbox says how mail gets in, with its own address filled in. With mail the guide stays until its steps are
 * done or it is closed.
 */
export function EmptyMailbox(
  { mailboxId, direction, hasMail = false }: {
    mailboxId: string;
    direction?: "inbound" | "outbound";
    hasMail?: boolean;
  },
) {
  const box = mailboxOf(mailboxId) ?? mailboxes.value[0];
  const text = guideWords;
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
  return <Guide box={box} hasMail={hasMail} />;
}

function Guide({ box, hasMail }: { box: Mailbox; hasMail: boolean }) {
  const me = account.value!;
  const text = guideWords;
  const { data: done } = useLoad(async () => {
    // A role that may not see them has no such step to do.
    const any = (list: Promise<unknown[]>) => list.then(({ length }) => length > 0, () => true);
    const [key, app, webhook] = await Promise.all([
      any(keys.list()),
      connects ? any(apps.list()) : false,
      any(webhooks.list()),
    ]);
    return { read: key || app, tell: webhook };
  }, []);
  const isFinished = hasMail && done?.read && done.tell;
  useEffect(beginGuide, []);
  useEffect(() => {
    if (isFinished) endGuide();
  }, [isFinished]);
  return (
    <div class="guide">
      <h2>{hasMail ? text.goesOn : text.title}</h2>
      {!hasMail && (
        <p class="muted">
          {text.sendTo}{" "}
          <span class="copy-inline">
            <code>{box.email_address}</code>
            <Copy bare text={box.email_address} label={words.mail.copyAddress} />
          </span>{" "}
          {text.appears}
        </p>
      )}
      {hasMail
        ? <button type="button" class="button" onClick={endGuide}>{text.close}</button>
        : may("send_email") && <SendFirst box={box} />}
      <ol class="steps">
        <Step title={me.inboundHint ? text.deliver : text.write} done={hasMail} folds={hasMail}>
          {me.inboundHint
            ? (
              <>
                <p class="muted">{text.deliverLead} {me.inboundHint}</p>
                <Code title={text.terminal} text={firstMail(me, box.email_address)} />
              </>
            )
            : <p class="muted">{text.writeLead}</p>}
        </Step>
        <Step title={text.read} done={done?.read} folds={hasMail}>
          <p class="muted">{text.readLead}{connects ? ` ${text.byUrl}` : ""}</p>
          {connects && <Code title={pageWords.apps.url} text={mcpUrl(me)} />}
          <p>
            {connects ? `${text.byKey} ` : ""}
            <a href="/app/keys">{text.makeKey}</a>
          </p>
          <Code title={pageWords.keyPage.client} text={mcpConfig(me)} />
        </Step>
        <Step title={text.tell} done={done?.tell} folds={hasMail}>
          <p class="muted">{text.tellLead}</p>
          <p>
            <a href="/app/webhooks">{text.makeWebhook}</a>
          </p>
        </Step>
      </ol>
    </div>
  );
}

function Step(
  { title, done, folds, children }: {
    title: string;
    done?: boolean;
    /** Once it is done only its title stays. */
    folds: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <li>
      <h3>{title} {done && <Tag tone="ok">{guideWords.done}</Tag>}</h3>
      {!(done && folds) && children}
    </li>
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
      subject: guideWords.firstSubject,
      body_text: guideWords.firstText,
    }).then((sent) => say(words.compose.outcome(sent)), sayProblem).finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button primary" disabled={busy} onClick={send}>
      <Icon name="pen" size={16} />
      {guideWords.sendFirst}
    </button>
  );
}
