import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../client.ts";
import { longTime } from "../../format.ts";
import { listen } from "../../live.ts";
import { seen } from "../../mail_list.ts";
import { Icon } from "../../parts/icon.tsx";
import { useLoad } from "../../parts/load.ts";
import { lazy } from "../../parts/lazy.tsx";
import { Problem, Skeleton, Tag } from "../../parts/small.tsx";
import { threads } from "../../resources.ts";
import { go } from "../../router.ts";
import { attention, may, reloadAttention } from "../../state.ts";
import type { Change, Draft, Thread as Whole, ThreadItem } from "../../types.ts";
import { isUnsent } from "../../unsent.ts";
import { listAddress, replying } from "../../mail_navigation.ts";
import { words } from "../../words.ts";
import { Message } from "./message.tsx";
import { Reply } from "./reply.tsx";

/** A conversation: older messages folded to a line, the newest open. */
export function Thread({ threadId }: { threadId: string }) {
  const { data, error, reload } = useLoad(() => threads.get(threadId), [threadId]);
  useEffect(() =>
    listen((changes) => {
      // A draft has no thread yet.
      const isAbout = ({ thread_id, event }: Change) =>
        thread_id === threadId || (thread_id === null && event.startsWith("draft."));
      if (!changes || changes.some(isAbout)) reload();
    }), [threadId]);
  useEffect(() => {
    replying.value = false;
  }, [threadId]);
  const isGone = error instanceof ApiError && error.status === 404 && data !== null;
  // It was deleted while it was open.
  useEffect(() => {
    if (isGone) go(listAddress(), { replace: true });
  }, [isGone]);
  useEffect(() =>
    data?.thread.forEach(({ email_id, delivered_to = [] }) => {
      for (const each of [{ email_id }, ...delivered_to]) seen(each.email_id);
    }), [data]);
  if (!data || data.thread.length === 0) {
    return (
      <div class="thread">
        <BackLink />
        {!data && (error ? <Problem error={error} again={reload} /> : <Skeleton rows={4} />)}
      </div>
    );
  }
  return (
    <Conversation
      key={threadId}
      threadId={threadId}
      items={data.thread}
      drafts={data.drafts}
      turn={data.waiting_for}
      reload={reload}
    />
  );
}

/** A longer conversation is opened with its first message and the newest ones. */
const unfolded = 10;
const newestShown = 4;

function Conversation(
  { threadId, items, drafts, turn, reload }: {
    threadId: string;
    items: ThreadItem[];
    drafts: Draft[];
    turn: Whole["waiting_for"];
    reload: () => void;
  },
) {
  // Mail that comes later folds no further message: it could be the one that is being read.
  const [folded, setFolded] = useState(() =>
    items.length > unfolded ? items.length - 1 - newestShown : 0
  );
  const unsent = `reply ${threadId}`;
  const list = useRef<HTMLOListElement>(null);
  const replyButton = useRef<HTMLButtonElement>(null);
  const unfold = () => {
    setFolded(0);
    // The button is gone then.
    requestAnimationFrame(() => list.current?.children[1]?.querySelector("button")?.focus());
  };
  const newest = items[items.length - 1];
  const people = new Set(items.map((each) => each.from)).size;
  const facts = words.thread.facts(items.length, people, longTime(items[0].date));
  const close = () => {
    replying.value = false;
    // It takes the place of the form, which had the focus.
    requestAnimationFrame(() => replyButton.current?.focus());
    reload();
  };
  return (
    <article class="thread">
      <BackLink />
      <header class="thread-head">
        <h1 dir="auto">{items[0].subject || words.mail.noSubject}</h1>
        <p class="muted">
          {facts}
          {turn && <Tag tone={turn === "us" ? "wait" : "plain"}>{words.thread.turns[turn]}</Tag>}
        </p>
      </header>
      <Stopped threadId={threadId} messages={items.length} />
      <ol class="messages" ref={list}>
        {items.flatMap((item, n) => [
          n > 1 && n <= folded
            ? null
            : n === 1 && folded > 0
            ? <Folded key="folded" count={folded} open={unfold} />
            : (
              <Message
                key={item.email_id}
                item={item}
                // If there are two messages, both are open: the question and its answer.
                opens={n === items.length - 1 || items.length === 2}
                newest={n === items.length - 1}
                changed={reload}
              />
            ),
          ...draftsAfter(drafts, items, n).map((draft) => (
            <li key={draft.draft_id} class="unsent">
              <DraftCard draft={draft} changed={reload} />
            </li>
          )),
        ])}
      </ol>
      {!may("reply_email")
        ? null
        : replying.value
        ? <Reply emailId={newest.email_id} name={unsent} done={close} />
        : (
          <button
            ref={replyButton}
            type="button"
            class="button reply-button"
            aria-keyshortcuts="r"
            onClick={() => replying.value = true}
          >
            <Icon name="reply" size={16} />
            {isUnsent(unsent) ? words.thread.continueReply : words.thread.reply}
            <kbd aria-hidden="true">r</kbd>
          </button>
        )}
    </article>
  );
}

/** A reply that is not sent yet has its code with the pages of drafts. */
const DraftCard = lazy(async () => (await import("../drafts/draft_card.tsx")).DraftCard);

/** The drafts that stand below a message: made after it, and before the next one. A scheduled one stands at its time. */
function draftsAfter(drafts: Draft[], items: ThreadItem[], n: number): Draft[] {
  const timeOf = ({ status, send_at, created_at }: Draft) =>
    status === "scheduled" && send_at ? send_at : created_at;
  return drafts.filter((draft) =>
    (n === 0 || timeOf(draft) >= items[n].date) &&
    (n === items.length - 1 || timeOf(draft) < items[n + 1].date)
  );
}

function Folded({ count, open }: { count: number; open: () => void }) {
  return (
    <li class="folded">
      <button type="button" onClick={open}>{words.thread.between(count)}</button>
    </li>
  );
}

/** With this many messages, two programs may be writing to each other. */
const messagesOfLoop = 12;

/** Why no more mail of this conversation is sent, if it was stopped in the last day. */
function Stopped({ threadId, messages }: { threadId: string; messages: number }) {
  useEffect(() => {
    if (messages >= messagesOfLoop) reloadAttention().catch(() => {});
  }, [threadId, messages]);
  const loop = attention.value?.loops.find((each) => each.thread_id === threadId);
  if (!loop) return null;
  const { recipient, at, until } = loop;
  const isOver = Date.parse(until) <= Date.now();
  return (
    <p class="notice bad">
      <Icon name="warning" size={16} />
      <span>{words.thread.loop(recipient, longTime(at), longTime(until), isOver)}</span>
    </p>
  );
}

function BackLink() {
  return (
    <a class="back" href={listAddress()}>
      <Icon name="back" size={18} />
      {words.mail.messages}
    </a>
  );
}
