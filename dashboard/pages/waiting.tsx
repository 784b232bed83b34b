import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../client.ts";
import { listen, liveState } from "../live.ts";
import { Icon } from "../parts/icon.tsx";
import { useLoad } from "../parts/load.ts";
import { PageHead, Problem, Skeleton, Time } from "../parts/small.tsx";
import { drafts, emails, mailboxes } from "../resources.ts";
import { go, path } from "../router.ts";
import { lastSeen, remember, type Seen, seenOf } from "../seen.ts";
import { waitingDrafts } from "../state.ts";
import type { Draft, FullEmail } from "../types.ts";
import { draftWords } from "./drafts/draft_words.ts";
import { words } from "../words.ts";
import { Changes } from "./drafts/changes.tsx";
import { DraftCard } from "./drafts/draft_card.tsx";
import { Text } from "./mail/text.tsx";

const text = draftWords;

/** All that a person needs to decide about one draft that waits. */
export default function WaitingPage() {
  const draftId = path.value[1] ?? "";
  return (
    <div class="page">
      <p>
        <a class="back always" href="/app/drafts">
          <Icon name="back" size={18} />
          {text.all}
        </a>
      </p>
      <OneDraft key={draftId} draftId={draftId} />
    </div>
  );
}

interface Loaded {
  draft: Draft;
  /** Its mailbox asks a person about every mail. */
  isAlwaysAsked: boolean;
  /** The mail that it answers; null: it was deleted; undefined: it answers none. */
  answered: FullEmail | null | undefined;
}

/** All in one: what comes later would move what is read already. */
async function load(draftId: string): Promise<Loaded> {
  const draft = await drafts.get(draftId);
  const { mailbox_id, reply_to_email_id: parent } = draft;
  const [policy, answered] = await Promise.all([
    // Only its words depend on it.
    mailboxes.policy(mailbox_id).catch(() => null),
    parent === null ? undefined : emails.get(parent).catch((error) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }),
  ]);
  return { draft, isAlwaysAsked: policy?.approval === "always", answered };
}

function OneDraft({ draftId }: { draftId: string }) {
  const { data, error, reload } = useLoad(() => load(draftId), []);
  const seen = useSeenBefore(data?.draft);
  useEffect(() =>
    listen((changes) => {
      if (!changes || changes.some(({ draft_id }) => draft_id === draftId)) reload();
    }), []);
  // A change between the answer and the beginning of the stream is in neither.
  const isLive = liveState.value === "live";
  const [wasLive] = useState(isLive);
  useEffect(() => {
    if (isLive && !wasLive) reload();
  }, [isLive]);
  const changed = (decided: boolean) => {
    if (!decided) return reload();
    const [next] = waitingDrafts.value.ids.filter((each) => each !== draftId);
    go(next ? `/app/waiting/${next}` : "/app/drafts");
  };
  const waits = data?.draft.status === "pending_approval";
  return (
    <>
      <PageHead title={words.pages.waiting} lead={text.lead}>
        <Steps draftId={draftId} />
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton />}
      {data && !waits && <Decided draft={data.draft} />}
      {data && data.answered !== undefined && <Answered email={data.answered} />}
      {data && (
        <DraftCard
          draft={data.draft}
          changed={changed}
          alone
          why={waits && data.isAlwaysAsked ? text.always : undefined}
        >
          {waits && seen && <Changes seen={seen} draft={data.draft} />}
        </DraftCard>
      )}
    </>
  );
}

/** What this person has seen of the draft before, if it was something else; what is shown counts as seen. */
function useSeenBefore(draft: Draft | undefined): Seen | null {
  const [before, setBefore] = useState<Seen | null>(null);
  useEffect(() => {
    if (!draft) return;
    const known = lastSeen(draft.draft_id), now = seenOf(draft);
    if (known && known.hash !== now.hash) setBefore(known);
    remember(now);
  }, [draft?.content_hash]);
  return before && before.hash !== draft?.content_hash ? before : null;
}

/** Links to the other drafts that wait. */
function Steps({ draftId }: { draftId: string }) {
  const { ids } = waitingDrafts.value;
  const at = ids.indexOf(draftId);
  const link = (id: string | undefined, label: string, key: string) =>
    id && <a class="button small" href={`/app/waiting/${id}`} aria-keyshortcuts={key}>{label}</a>;
  return (
    <nav class="other-drafts" aria-label={text.all}>
      {link(at > 0 ? ids[at - 1] : undefined, text.previous, "k")}
      {link(ids[at + 1], text.next, "j")}
    </nav>
  );
}

/** What became of a draft that waits no more, and by whom. */
function Decided({ draft }: { draft: Draft }) {
  const { decided_by: by } = draft;
  return (
    <p class={draft.status === "rejected" ? "notice bad" : "notice"} role="status">
      <Icon name="hand" size={16} />
      <span>{text.decided[draft.status]?.(by ? text.by(by.name) : "")}</span>
    </p>
  );
}

/** The mail that a draft answers. */
function Answered({ email }: { email: FullEmail | null }) {
  if (!email) return <p class="notice">{text.answersGone}</p>;
  const { from, from_name, date, mailbox_id, thread_id } = email;
  const who = from || words.mail.noSender;
  return (
    <section class="card answered" aria-label={text.answers}>
      <header class="card-head">
        <h2>{text.answers}</h2>
        <span class="push">
          <Time at={date} class="muted" />
        </span>
      </header>
      <p class="who" dir="auto">
        <strong>{from_name ? `${from_name} <${who}>` : who}</strong>
      </p>
      <Text email={email} />
      <footer class="card-foot">
        <a class="button small" href={`/app/mail/${mailbox_id}/t/${thread_id}`}>
          {text.conversation}
        </a>
      </footer>
    </section>
  );
}
