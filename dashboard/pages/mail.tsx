import { useEffect } from "preact/hooks";
import { liveState } from "../live.ts";
import { list, type ListFilter, openList, shown } from "../mail_list.ts";
import { Icon } from "../parts/icon.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Copy, Skeleton } from "../parts/small.tsx";
import { path, query, withQuery } from "../router.ts";
import { chosen, selected, selectNone } from "../selection.ts";
import { guideStays, mailboxOf, may, overlay } from "../state.ts";
import { words } from "../words.ts";
import { Glance } from "./mail/glance.tsx";
import { Rows } from "./mail/rows.tsx";

const EmptyMailbox = lazy(async () => (await import("./mail/empty_mailbox.tsx")).EmptyMailbox);
const SelectionBar = lazy(async () => (await import("./mail/selection_bar.tsx")).SelectionBar);
const Thread = lazy(
  async () => (await import("./mail/thread.tsx")).Thread,
  () => (
    <div class="thread">
      <Skeleton rows={4} />
    </div>
  ),
);

/** The list of mail on the left. On the right: the open conversation, or what needs attention. */
export default function MailPage() {
  const [, mailboxId = "all", , threadId] = path.value;
  const filter = filterNow(mailboxId);
  useEffect(() => {
    void openList(filter);
    chosen.value = null;
    selectNone();
  }, [JSON.stringify(filter)]);
  const isEmpty = list.value.state === "ready" && shown.value.length === 0;
  const isFiltered = filter.is_read !== undefined || filter.label !== undefined;
  const guides = isEmpty && !isFiltered && !threadId;
  const goesOn = !threadId && !guides && guideStays();
  const classes = [
    "mail",
    threadId || guides || goesOn ? "has-thread" : "",
    guides ? "is-empty" : "",
    goesOn ? "is-guided" : "",
  ];
  return (
    <div class={classes.join(" ")}>
      <section
        class="list-pane"
        aria-label={words.mail.messages}
        onPointerEnter={Thread.preload}
        onFocusIn={Thread.preload}
      >
        <ListHead mailboxId={mailboxId} />
        <Rows mailboxId={mailboxId} threadId={threadId} retry={() => void openList(filter)} />
      </section>
      <section class="thread-pane" aria-label={words.mail.conversation}>
        {threadId
          ? <Thread key={threadId} threadId={threadId} />
          : guides
          ? <EmptyMailbox mailboxId={mailboxId} direction={filter.direction} />
          : goesOn
          ? <EmptyMailbox mailboxId={mailboxId} hasMail />
          : <Glance />}
      </section>
    </div>
  );
}

function filterNow(mailboxId: string): ListFilter {
  const direction = query.value.get("direction");
  const label = query.value.get("label");
  return {
    ...mailboxId === "all" ? {} : { mailbox_id: mailboxId },
    ...direction === "inbound" || direction === "outbound" ? { direction } : {},
    ...query.value.get("is_read") === "false" ? { is_read: false } : {},
    ...label ? { label } : {},
  };
}

function ListHead({ mailboxId }: { mailboxId: string }) {
  const box = mailboxOf(mailboxId);
  const [local, domain] = (box?.email_address ?? "").split("@");
  const label = query.value.get("label");
  const state = liveState.value;
  return (
    <header class="list-head">
      <div class="list-title">
        {box
          ? (
            <h1 class="address" title={box.email_address}>
              <span>{local}</span>
              <span class="muted">@{domain}</span>
            </h1>
          )
          : <h1>{mailboxId === "all" ? words.mail.all : words.pages.mail}</h1>}
        {box && <Copy bare text={box.email_address} label={words.mail.copyAddress} />}
        <span class={`live ${state}`} role="status">{words.live[state]}</span>
      </div>
      <Tabs mailboxId={mailboxId} />
      {label && (
        <ul class="applied">
          <li>
            <a href={withQuery({ label: undefined })}>
              <span class="sr">{words.removeFilter}</span>
              <Icon name="tag" size={12} />
              {label}
              <Icon name="close" size={12} />
            </a>
          </li>
        </ul>
      )}
      {selected.value.size > 0 && <SelectionBar />}
    </header>
  );
}

function Tabs({ mailboxId }: { mailboxId: string }) {
  const direction = query.value.get("direction") ?? undefined;
  const isUnread = query.value.get("is_read") === "false";
  const base = `/app/mail/${mailboxId}`;
  const tabs = [
    { label: words.mail.tabs.all, to: base, on: !direction && !isUnread },
    { label: words.mail.tabs.unread, to: `${base}?is_read=false`, on: isUnread },
    {
      label: words.mail.tabs.received,
      to: `${base}?direction=inbound`,
      on: direction === "inbound",
    },
    { label: words.mail.tabs.sent, to: `${base}?direction=outbound`, on: direction === "outbound" },
  ];
  return (
    <nav class="tabs" aria-label={words.mail.which}>
      {tabs.map(({ label, to, on }) => (
        <a key={label} href={to} aria-current={on ? "page" : undefined}>{label}</a>
      ))}
      {may("send_email") && (
        <button
          type="button"
          class="button small push"
          onClick={() => overlay.value = "compose"}
        >
          <Icon name="pen" size={15} />
          {words.mail.writeShort}
        </button>
      )}
    </nav>
  );
}
