import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, number } from "./format.ts";
import { freshCount } from "./mail_list.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { Bar, IconButton } from "./parts/small.tsx";
import { go, path } from "./router.ts";
import {
  account,
  connects,
  mailboxes,
  overlay,
  sayProblem,
  shortName,
  usage,
  waitingDrafts,
} from "./state.ts";
import { theme, turnTheme } from "./theme.ts";
import { signOut } from "./account.ts";
import { words } from "./words.ts";

/** Links to every page, the use of the plan, and the account. */
export function Sidebar({ page }: { page: string }) {
  const waiting = waitingDrafts.value;
  const nav = useRef<HTMLElement>(null);
  const isMenu = overlay.value === "menu";
  // On a phone it covers the page: focus goes into it, and back to its button.
  useEffect(() => {
    if (!isMenu) return;
    nav.current?.querySelector<HTMLElement>(".side-scroll a")?.focus();
    return () => document.querySelector<HTMLElement>("[aria-controls=menu]")?.focus();
  }, [isMenu]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isMenu || event.key !== "Escape") return;
    event.stopPropagation();
    overlay.value = null;
  };
  const closeMenu = (event: Event) => {
    if ((event.target as Element).closest("a")) overlay.value = null;
  };
  return (
    <nav
      ref={nav}
      id="menu"
      class="side"
      aria-label={words.main}
      onClick={closeMenu}
      onKeyDown={onKeyDown}
    >
      <a class="brand" href="/app/mail/all">
        <span class="mark" aria-hidden="true" />
        {words.brand}
      </a>
      <div class="side-scroll" tabIndex={0} role="group" aria-label={words.allPages}>
        <a class="search-link" href="/app/search" aria-current={current(page === "search")}>
          <Icon name="search" size={16} />
          <span>{words.pages.search}</span>
          <kbd>/</kbd>
        </a>
        <MailLinks page={page} />
        <h2>{words.watch}</h2>
        <PageLink to="drafts" icon="hand" page={page === "waiting" ? "drafts" : page}>
          {waiting.ids.length > 0 && (
            <b class="count fresh">{number(waiting.ids.length)}{waiting.more ? "+" : ""}</b>
          )}
        </PageLink>
        <PageLink to="arrivals" icon="ledger" page={page} />
        <PageLink to="webhooks" icon="hook" page={page} />
        <h2>{words.setUp}</h2>
        <PageLink to="mailboxes" icon="at" page={page} />
        {connects && <PageLink to="apps" icon="link" page={page} />}
        <PageLink to="keys" icon="key" page={page} />
        <PageLink to="domains" icon="globe" page={page} />
        <PageLink to="people" icon="people" page={page} />
        <PageLink to="usage" icon="gauge" page={page} />
      </div>
      <div class="side-foot">
        <UsedUp />
        <Me />
      </div>
    </nav>
  );
}

const current = (is: boolean) => is ? "page" as const : undefined;

function PageLink(
  { to, icon, page, children }: {
    to: string;
    icon: IconName;
    page: string;
    children?: ComponentChildren;
  },
) {
  return (
    <a href={`/app/${to}`} aria-current={current(page === to)}>
      <Icon name={icon} />
      <span>{words.pages[to]}</span>
      {children}
    </a>
  );
}

/** With more mailboxes than this the side bar shows the first ones and the open one; the page of mailboxes finds all. */
const mostBoxes = 100;
/** The least number of them that is seen without scrolling, on a low screen. */
const seenBoxes = 5;

function MailLinks({ page }: { page: string }) {
  const open = page === "mail" ? path.value[1] ?? "all" : null;
  const boxes = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState("");
  const all = mailboxes.value;
  const found = part.trim()
    ? all.filter(({ email_address }) => email_address.includes(part.trim().toLowerCase()))
    : all;
  const links = found.filter(({ mailbox_id }, n) => n < mostBoxes || mailbox_id === open);
  const unread = all.reduce((sum, { unread_count }) => sum + unread_count, 0);
  const openFirst = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (key !== "Enter" || !part.trim() || links.length === 0) return;
    setPart("");
    // Letters are shortcuts again.
    currentTarget.blur();
    overlay.value = null;
    go(`/app/mail/${links[0].mailbox_id}`);
  };
  useEffect(() => {
    boxes.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [open, all.length]);
  return (
    <>
      <h2>{words.pages.mail}</h2>
      <a href="/app/mail/all" aria-current={current(open === "all")}>
        <Icon name="inbox" />
        <span>{words.mail.all}</span>
        <Unread count={unread} isFresh={freshCount.value > 0} />
      </a>
      {all.length > seenBoxes && (
        <input
          class="find-box"
          type="search"
          value={part}
          aria-label={words.findInList}
          placeholder={words.findInList}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setPart(currentTarget.value)}
          onKeyDown={openFirst}
        />
      )}
      <div class="boxes" ref={boxes}>
        {links.map((each) => (
          <a
            key={each.mailbox_id}
            class="box"
            href={`/app/mail/${each.mailbox_id}`}
            title={each.email_address}
            aria-current={current(open === each.mailbox_id)}
          >
            <span class="box-name">{shortName(each.mailbox_id)}</span>
            <Unread count={each.unread_count} />
          </a>
        ))}
        {links.length === 0 && part && <p class="muted small-text">{words.noMailboxFound}</p>}
      </div>
      {all.length > seenBoxes && (
        <a class="all-boxes" href="/app/mailboxes">{words.allMailboxes(all.length)}</a>
      )}
    </>
  );
}

/** In the colour of the brand if some of it came since the page was opened. */
function Unread({ count, isFresh }: { count: number; isFresh?: boolean }) {
  if (count === 0) return null;
  return (
    <>
      <b class={`count ${isFresh ? "fresh" : ""}`}>{number(count)}</b>
      <span class="sr">{words.mail.unread}</span>
    </>
  );
}

function UsedUp() {
  const used = usage.value;
  if (!used || used.emailsLimit === null) return null;
  const part = used.emailsLimit === 0 ? 1 : Math.min(1, used.emailsUsed / used.emailsLimit);
  return (
    <a class="mini" href="/app/usage">
      <span>{words.plan.mailsUsed(number(used.emailsUsed), number(used.emailsLimit))}</span>
      <span class="muted">{bytes(used.storageUsed)}</span>
      <Bar width={100 * part} />
    </a>
  );
}

function Me() {
  const isDark = theme.value === "dark";
  return (
    <div class="me">
      <span class="me-name" title={account.value?.email}>{account.value?.name}</span>
      <IconButton
        icon={isDark ? "sun" : "moon"}
        label={isDark ? words.light : words.dark}
        onClick={turnTheme}
      />
      <IconButton icon="help" label={words.keys.title} onClick={() => overlay.value = "keys"} />
      <IconButton
        icon="out"
        label={words.signOut}
        onClick={() => void signOut().catch(sayProblem)}
      />
    </div>
  );
}
