import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../client.ts";
import { longTime } from "../../format.ts";
import { listen } from "../../live.ts";
import { seen } from "../../mail_list.ts";
import { Icon } from "../../parts/icon.tsx";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton } from "../../parts/small.tsx";
import { threads } from "../../resources.ts";
import { go } from "../../router.ts";
import { attention, may, reloadAttention } from "../../state.ts";
import type { ThreadItem } from "../../types.ts";
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
      if (!changes || changes.some((each) => each.thread_id === threadId)) reload();
    }), [threadId]);
  useEffect(() => {
    replying.value = false;
  }, [threadId]);
  const isGone = error instanceof ApiError && error.status === 404 && data !== null;
  // It was deleted while it was open.
  useEffect(() => {
    if (isGone) go(listAddress(), { replace: true });
  }, [isGone]);
  useEffect(() => data?.thread.forEach(({ email_id }) => seen(email_id)), [data]);
  if (!data || data.thread.length === 0) {
    return (
      <div class="thread">
        <BackLink />
        {!data && (error ? <Problem error={error} again={reload} /> : <Skeleton rows={4} />)}
      </div>
    );
  }
  return <Conversation key={threadId} threadId={threadId} items={data.thread} reload={reload} />;
}

/** A longer conversation is opened with its first message and the newest ones. */
const unfolded = 10;
const newestShown = 4;

function Conversation(
  { threadId, items, reload }: { threadId: string; items: ThreadItem[]; reload: () => void },
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
        <p class="muted">{facts}</p>
      </header>
      <Stopped threadId={threadId} messages={items.length} />
      <ol class="messages" ref={list}>
        {items.map((item, n) => {
          if (n > 1 && n <= folded) return null;
          if (n === 1 && folded > 0) {
            return <Folded key="folded" count={folded} open={unfold} />;
          }
          return (
            <Message
              key={item.email_id}
              item={item}
              // If there are two messages, both are open: the question and its answer.
              opens={n === items.length - 1 || items.length === 2}
              newest={n === items.length - 1}
              changed={reload}
            />
          );
        })}
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
