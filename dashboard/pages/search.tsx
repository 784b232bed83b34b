import { useEffect, useRef, useState } from "preact/hooks";
import { bandOf, number } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { MailboxChoice } from "../parts/mailbox_choice.tsx";
import { Empty, PageHead, Problem, Skeleton, Time } from "../parts/small.tsx";
import { search } from "../resources.ts";
import { go, query, withQuery } from "../router.ts";
import { account, mailboxOf, reloadUsage, shortName } from "../state.ts";
import { searchesWanted, takeTyped } from "../keyboard/shortcuts.ts";
import type { Hit, SearchAnswer, SearchInput } from "../types.ts";
import { words } from "../words.ts";
import { searchWords } from "./search/search_words.ts";

const filterNames = [
  "from",
  "to",
  "subject",
  "label",
  "date_from",
  "date_to",
  "mailbox_id",
] as const;
type FilterName = typeof filterNames[number];
const text = searchWords;

/** The same search as the agent's. Only Enter or the button starts one, because it counts against the plan. */
export default function SearchPage() {
  const q = query.value.get("q") ?? "";
  const key = query.value.toString();
  const { answer, error, busy, again } = useSearch(q, key);
  const used = filterNames.filter((name) => query.value.get(name));
  return (
    <div class="page search-page">
      <PageHead title={words.pages.search} lead={text.lead} />
      <SearchForm key={key} q={q} used={used} again={again} />
      <AppliedFilters used={used} />
      <div aria-live="polite" class="results-area">
        {error && <Problem error={error} again={again} />}
        {busy && !answer && <Skeleton rows={4} />}
        {answer && <ResultCount answer={answer} />}
        {answer && answer.results.length > 0 && (
          <ol class="hits">
            {answer.results.map((hit) => <HitRow key={hit.email_id} hit={hit} />)}
          </ol>
        )}
        {answer && answer.results.length === 0 && <Nothing answer={answer} used={used} />}
      </div>
    </div>
  );
}

/** Each search counts: "back" from a message that was found shows this answer. */
let last: { of: string; answer: SearchAnswer } | null = null;

function useSearch(q: string, key: string) {
  const of = `${account.value?.userId} ${key}`;
  const [answer, setAnswer] = useState<SearchAnswer | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setError(null);
    setBusy(false);
    if (last?.of === of) return setAnswer(last.answer);
    setAnswer(null);
    if (!q) return;
    let current = true;
    setBusy(true);
    search(inputOf(q)).then(
      (found) => {
        last = { of, answer: found };
        if (current) setAnswer(found);
      },
      (failed) => current && setError(failed),
    ).finally(() => {
      if (current) setBusy(false);
      reloadUsage().catch(() => {});
    });
    return () => {
      current = false;
    };
  }, [key, round]);
  const again = () => {
    last = null;
    setRound((n) => n + 1);
  };
  return { answer, error, busy, again };
}

function inputOf(q: string): SearchInput {
  const given = filterNames.map((name) => [name, query.value.get(name)] as const);
  return { query: q, limit: 25, ...Object.fromEntries(given.filter(([, value]) => value)) };
}

/** As in the style sheets. */
const phoneWidth = 820;

function SearchForm(
  { q, used, again }: { q: string; used: readonly FilterName[]; again: () => void },
) {
  // On a phone they would cover what was found; the chips below show them.
  const [open, setOpen] = useState(used.length > 0 && innerWidth > phoneWidth);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (q || !box.current) return;
    box.current.focus();
    box.current.value += takeTyped();
  }, [searchesWanted.value]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = new URLSearchParams();
    for (const [name, value] of form) {
      if (String(value).trim()) given.set(name, String(value).trim());
    }
    if (given.toString() === query.value.toString()) again();
    else go(`/app/search?${given}`);
  };
  return (
    <form class="search-form" role="search" onSubmit={submit}>
      <div class="search-line">
        <Icon name="search" />
        <input
          ref={box}
          name="q"
          type="search"
          defaultValue={q}
          placeholder={text.placeholder}
          aria-label={text.box}
          autocomplete="off"
        />
        <button
          type="button"
          class="button small"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {text.filters(used.length)}
        </button>
        <button type="submit" class="button primary small">{words.pages.search}</button>
      </div>
      {open && <Filters />}
    </form>
  );
}

function Filters() {
  const now = (name: FilterName) => query.value.get(name) ?? "";
  return (
    <div class="filters">
      {(["from", "to", "subject", "label"] as const).map((name) => (
        <label key={name}>
          {text.names[name]}
          <input
            name={name}
            defaultValue={now(name)}
            placeholder={text.hints[name]}
            autocapitalize="off"
          />
        </label>
      ))}
      {(["date_from", "date_to"] as const).map((name) => (
        <label key={name}>
          {text.names[name]}
          <input type="date" name={name} defaultValue={now(name)} />
        </label>
      ))}
      <label>
        {text.names.mailbox_id}
        <MailboxChoice
          name="mailbox_id"
          chosen={now("mailbox_id")}
          none={text.allMailboxes}
        />
      </label>
    </div>
  );
}

function AppliedFilters({ used }: { used: readonly FilterName[] }) {
  if (used.length === 0) return null;
  const shown = (name: FilterName) => {
    const value = query.value.get(name)!;
    return name === "mailbox_id" ? mailboxOf(value)?.email_address ?? value : value;
  };
  return (
    <ul class="applied" aria-label={text.applied}>
      {used.map((name) => (
        <li key={name}>
          <a href={withQuery({ [name]: undefined })}>
            <span class="sr">{words.removeFilter}</span>
            <span class="cut">{text.names[name]}: {shown(name)}</span>
            <Icon name="close" size={12} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function ResultCount({ answer }: { answer: SearchAnswer }) {
  const { searches } = answer;
  return (
    <p class="result-count">
      <span>{text.matches(answer.total, number(answer.total))}</span>
      {answer.pending > 0 && <span class="chip wait">{text.pending(number(answer.pending))}</span>}
      {answer.degraded && <span class="chip wait">{text.degraded}</span>}
      {searches.limit !== null && (
        <span class="muted push">{text.used(number(searches.used), number(searches.limit))}</span>
      )}
    </p>
  );
}

function HitRow({ hit }: { hit: Hit }) {
  return (
    <li>
      <a href={`/app/mail/${hit.mailbox_id}/t/${hit.thread_id}`}>
        <Score value={hit.score} />
        <span class="hit-text">
          <span class="hit-top">
            <span class="hit-subject" dir="auto">{hit.subject || words.mail.noSubject}</span>
            <Time at={hit.date} />
          </span>
          <span class="muted cut">
            {hit.from} → {shortName(hit.mailbox_id)} · {text.foundBy(hit.found_by)}
          </span>
          <span class="hit-snippet" dir="auto">{hit.snippet}</span>
        </span>
      </a>
    </li>
  );
}

/** The score of a match as a number and a bar, in the same bands as for agents. */
function Score({ value }: { value: number }) {
  const band = bandOf(value);
  return (
    <span class={`score ${band}`} title={text.bands[band]}>
      <span class="score-number">{value.toFixed(2)}</span>
      <svg viewBox="0 0 40 4" width="40" height="4" aria-hidden="true">
        <rect class="track" width="40" height="4" rx="2" />
        <rect class="fill" width={40 * value} height="4" rx="2" />
      </svg>
      <span class="sr">{text.bands[band]}</span>
    </span>
  );
}

/** Why nothing was found: each known reason, with what to do. */
function Nothing({ answer, used }: { answer: SearchAnswer; used: readonly FilterName[] }) {
  const { without = {} } = answer;
  return (
    <Empty icon="search" title={text.nothing}>
      <ul class="reasons">
        {used.map((name) => (
          <li key={name}>
            <a href={withQuery({ [name]: undefined })}>{text.without(text.names[name])}</a>
            {without[name] !== undefined && <>: {text.wouldMatch(without[name])}</>}
          </li>
        ))}
        {answer.pending > 0 && <li>{text.pendingReason(number(answer.pending))}</li>}
        {answer.degraded && <li>{text.degradedReason}</li>}
        <li>
          {text.refusedReason} <a href="/app/arrivals?disposition=rejected">{text.seeRefused}</a>
        </li>
        <li>{text.scopeReason}</li>
      </ul>
    </Empty>
  );
}
