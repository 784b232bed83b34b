import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { longTime, shortTime } from "../../format.ts";
import { fresh, list, loadMore, seen, shown } from "../../mail_list.ts";
import { Icon } from "../../parts/icon.tsx";
import { Problem, Skeleton } from "../../parts/small.tsx";
import { choose, chosen, cursor, selected, toggle } from "../../selection.ts";
import { mailboxOf, shortName } from "../../state.ts";
import type { EmailRecord } from "../../types.ts";
import { keyboard, threadAddress } from "../../mail_navigation.ts";
import { words } from "../../words.ts";

/** As in the style sheet: all rows have the same height, so the visible ones can be computed. */
const rowHeight = 76;
/** How many rows above and below the visible ones are in the document. */
const spareRows = 8;
/** The next page is loaded this many rows before the end. */
const nearEnd = 30;

/** The list; only the rows in view are in the document. */
export function Rows(
  { mailboxId, threadId, retry }: { mailboxId: string; threadId?: string; retry: () => void },
) {
  const { state, error, cursor: next, key } = list.value;
  const emails = shown.value;
  const pane = useRef<HTMLDivElement>(null);
  const { top, height, setTop } = useView(pane, key);
  useAnchor(pane, key, emails, setTop);
  const at = cursor.value;
  const wasOpen = useRef(threadId);
  // Not for rows that come or go: the reader may have scrolled away.
  useEffect(() => {
    // On a phone the conversation covered the list: "back" leads to its row, and a screen reader goes on there.
    const isBack = wasOpen.current && !threadId && document.activeElement === document.body;
    if (isBack) keyboard.focusRow = true;
    wasOpen.current = threadId;
    keepInView(pane.current, at, emails.length);
  }, [chosen.value, threadId, state === "ready"]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spareRows);
  const last = Math.min(emails.length, Math.ceil((top + height) / rowHeight) + spareRows);
  useEffect(() => {
    if (next && last > emails.length - nearEnd) void loadMore();
  }, [last, emails.length, next]);
  const isOpen = (email: EmailRecord, position: number) =>
    email.thread_id === threadId && (position === at || emails[at]?.thread_id !== threadId);
  return (
    <div
      class="list-scroll"
      ref={pane}
      tabIndex={0}
      role="region"
      aria-label={words.mail.list}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      {state === "loading" && <Skeleton rows={8} />}
      {state === "error" && <Problem error={error!} again={retry} />}
      {state === "ready" && emails.length === 0 && <p class="none">{words.mail.nothing}</p>}
      {state === "ready" && emails.length > 0 && (
        <ul class="rows" style={{ height: `${emails.length * rowHeight}px` }}>
          {emails.slice(first, last).map((email, n) => (
            <Row
              key={email.email_id}
              email={email}
              position={first + n}
              showsMailbox={mailboxId === "all"}
              open={isOpen(email, first + n)}
              same={email.thread_id === threadId}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function useView(pane: { current: HTMLDivElement | null }, key: string) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(720);
  useEffect(() => {
    const watch = new ResizeObserver(() => setHeight(pane.current?.clientHeight ?? 0));
    watch.observe(pane.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (pane.current) pane.current.scrollTop = 0;
    setTop(0);
  }, [key]);
  return { top, height, setTop };
}

/**
 * A list that was scrolled keeps its place: the row at its top stays there while rows above it come or go. At the very
 * top the newest mail shows.
 */
function useAnchor(
  pane: { current: HTMLDivElement | null },
  key: string,
  emails: EmailRecord[],
  setTop: (top: number) => void,
) {
  const before = useRef({ key, emails });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { key, emails };
    const top = pane.current?.scrollTop ?? 0;
    if (was.key !== key || top === 0) return;
    const places = new Map(emails.map(({ email_id }, place) => [email_id, place]));
    const from = Math.floor(top / rowHeight);
    const stays = was.emails.findIndex(({ email_id }, n) => n >= from && places.has(email_id));
    if (stays < 0) return;
    const moved = places.get(was.emails[stays].email_id)! - stays;
    if (moved !== 0) setTop(pane.current!.scrollTop = top + moved * rowHeight);
  }, [emails]);
}

/** Scrolls to the cursor's row; after a key, focus follows. */
function keepInView(pane: HTMLDivElement | null, at: number, count: number): void {
  if (!pane || count === 0) return;
  const from = at * rowHeight;
  if (keyboard.focusRow || from > 0) {
    if (from < pane.scrollTop) pane.scrollTop = from;
    else if (from + rowHeight > pane.scrollTop + pane.clientHeight) {
      pane.scrollTop = from + rowHeight - pane.clientHeight;
    }
  }
  if (!keyboard.focusRow) return;
  keyboard.focusRow = false;
  requestAnimationFrame(() => {
    pane.querySelector<HTMLElement>(".row.at a")?.focus({ preventScroll: true });
  });
}

interface RowProps {
  email: EmailRecord;
  position: number;
  showsMailbox: boolean;
  open: boolean;
  same: boolean;
}

function Row({ email, position, showsMailbox, open, same }: RowProps) {
  const isSelected = selected.value.has(email.email_id);
  const isNew = fresh.value.has(email.email_id);
  const marks = [
    "row",
    open ? "open" : same ? "same" : "",
    position === cursor.value ? "at" : "",
    isNew ? "new" : "",
    isSelected ? "selected" : "",
    email.is_read ? "" : "unread",
  ];
  const opened = () => {
    choose(position);
    seen(email.email_id);
  };
  return (
    <li class={marks.join(" ")} style={{ transform: `translateY(${position * rowHeight}px)` }}>
      <label class="row-check">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={words.mail.selectRow(email.subject || words.mail.noSubject)}
          onClick={(event) => toggle(position, event.shiftKey)}
        />
      </label>
      <a
        href={threadAddress(email.thread_id)}
        aria-current={open ? "true" : undefined}
        onClick={opened}
      >
        <RowTop email={email} isNew={isNew} />
        <span class="row-subject" dir="auto">{email.subject || words.mail.noSubject}</span>
        <RowChips email={email} showsMailbox={showsMailbox} />
      </a>
    </li>
  );
}

function RowTop({ email, isNew }: { email: EmailRecord; isNew: boolean }) {
  const isSent = email.direction === "outbound";
  const who = isSent ? email.to.join(", ") : email.from_name || email.from || words.mail.noSender;
  return (
    <span class="row-top">
      {isNew && <span class="dot" aria-label={words.mail.isNew} role="img" />}
      <span class="row-who">
        {isSent && <span class="to">{words.mail.to}&nbsp;</span>}
        <bdi>{who}</bdi>
        {!email.is_read && <span class="sr">, {words.mail.unread}</span>}
      </span>
      {email.auth_verdict === "fail" && (
        <span
          class="row-warn"
          role="img"
          aria-label={words.verdict.fail}
          title={words.verdict.fail}
        >
          <Icon name="warning" size={14} />
        </span>
      )}
      {email.has_attachments && (
        <span class="row-clip" role="img" aria-label={words.mail.hasAttachments}>
          <Icon name="clip" size={13} />
        </span>
      )}
      <time dateTime={email.received_at} title={longTime(email.received_at)}>
        {shortTime(email.received_at)}
      </time>
    </span>
  );
}

function RowChips({ email, showsMailbox }: { email: EmailRecord; showsMailbox: boolean }) {
  const isSent = email.direction === "outbound";
  const box = showsMailbox && mailboxOf(email.mailbox_id) !== undefined;
  return (
    <span class="row-snippet">
      {isSent && <span class="chip out">{words.mail.sent}</span>}
      {!email.processed && <span class="chip wait">{words.mail.indexing}</span>}
      {box && !isSent && (
        <span class="chip" title={shortName(email.mailbox_id)}>{shortName(email.mailbox_id)}</span>
      )}
      {email.labels.map((label) => <span key={label} class="chip label">{label}</span>)}
      <span class="row-text" dir="auto">{email.snippet}</span>
    </span>
  );
}
