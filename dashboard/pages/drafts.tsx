import { useEffect } from "preact/hooks";
import { listen } from "../live.ts";
import { More, usePages } from "../parts/pages.tsx";
import { Empty, PageHead, Problem, Skeleton } from "../parts/small.tsx";
import { drafts } from "../resources.ts";
import { query } from "../router.ts";
import { draftWords } from "./drafts/draft_words.ts";
import { words } from "../words.ts";
import { DraftCard } from "./drafts/draft_card.tsx";

const text = draftWords;

/** Drafts that wait for a person's approval, and other drafts. */
export default function DraftsPage() {
  const status = text.tabs.find(([value]) => value === query.value.get("status"))?.[0] ??
    "pending_approval";
  const pages = usePages((cursor) => drafts.list({ status, limit: 20, cursor }), [status]);
  const { rows, error, reload } = pages;
  useEffect(() =>
    listen((changes) => {
      if (!changes || changes.some(({ event }) => event.startsWith("draft."))) reload();
    }), [status]);
  const waits = status === "pending_approval";
  return (
    <div class="page">
      <PageHead title={words.pages.drafts} lead={text.leads[status] ?? text.lead} />
      <nav class="tabs" aria-label={words.which}>
        {text.tabs.map(([value, label]) => (
          <a
            key={value}
            href={value === "pending_approval" ? "/app/drafts" : `/app/drafts?status=${value}`}
            aria-current={value === status ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {error && <Problem error={error} again={reload} />}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && (
        <Empty icon="hand" title={waits ? text.nothingWaits : text.none}>
          {waits && <p>{text.noneLead}</p>}
          {waits && <a class="button" href="/app/mailboxes">{text.toPolicies}</a>}
        </Empty>
      )}
      {rows?.map((each) => <DraftCard key={each.draft_id} draft={each} changed={reload} />)}
      <More pages={pages} />
    </div>
  );
}
