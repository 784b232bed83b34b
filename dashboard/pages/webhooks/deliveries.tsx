import { useEffect, useState } from "preact/hooks";
import { exactTime } from "../../format.ts";
import { listen } from "../../live.ts";
import { Icon } from "../../parts/icon.tsx";
import { useLoad } from "../../parts/load.ts";
import { More, usePages } from "../../parts/pages.tsx";
import { Code, Copy, Empty, PageHead, Problem, Skeleton, Tag, Time } from "../../parts/small.tsx";
import { webhooks } from "../../resources.ts";
import { query } from "../../router.ts";
import { may, say, sayProblem } from "../../state.ts";
import type { Delivery } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const toneOf = { delivered: "ok", failed: "bad", pending: "wait" } as const;
const text = pageWords.webhooks;
/** An unfinished delivery is loaded again after this time, because attempts are not in the list of changes. */
const lookAgainMs = 1_500;

/** The deliveries to one webhook and their answers. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const onlyFailed = query.value.get("status") === "failed";
  const hook = useLoad(() => webhooks.get(webhookId), [webhookId]);
  const pages = usePages(
    (cursor) =>
      webhooks.deliveries(webhookId, {
        limit: 50,
        cursor,
        ...onlyFailed ? { status: "failed" } : {},
      }),
    [webhookId, onlyFailed],
  );
  const { rows, error, reload } = pages;
  useEffect(() => listen(reload), [webhookId, onlyFailed]);
  useEffect(() => {
    if (!rows?.some(({ status }) => status === "pending")) return;
    const timer = setTimeout(reload, lookAgainMs);
    return () => clearTimeout(timer);
  }, [rows, error]);
  const test = () =>
    webhooks.test(webhookId).then(() => {
      say(text.testSent);
      reload();
    }, sayProblem);
  const base = `/app/webhooks/${webhookId}`;
  return (
    <div class="page">
      <p>
        <a class="back always" href="/app/webhooks">
          <Icon name="back" size={18} />
          {words.pages.webhooks}
        </a>
      </p>
      <PageHead
        title={text.deliveries}
        lead={hook.data ? <span class="mono">{hook.data.url}</span> : "…"}
      >
        {may("test_webhook") && (
          <button type="button" class="button" onClick={test}>{text.sendTest}</button>
        )}
      </PageHead>
      <nav class="tabs" aria-label={words.which}>
        <a href={base} aria-current={onlyFailed ? undefined : "page"}>{text.tabs.all}</a>
        <a href={`${base}?status=failed`} aria-current={onlyFailed ? "page" : undefined}>
          {text.tabs.failed}
        </a>
      </nav>
      {error && <Problem error={error} again={reload} />}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && (
        <Empty icon="hook" title={onlyFailed ? text.noneFailed : text.noneDelivered}>
          <p>{onlyFailed ? text.noneFailedLead : text.noneDeliveredLead}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <ul class="deliveries">
          {rows.map((each) => (
            <DeliveryRow
              key={each.delivery_id}
              delivery={each}
              webhookId={webhookId}
              changed={reload}
            />
          ))}
        </ul>
      )}
      <More pages={pages} />
    </div>
  );
}

function DeliveryRow(
  { delivery, webhookId, changed }: {
    delivery: Delivery;
    webhookId: string;
    changed: () => void;
  },
) {
  const { status, event, attempts, delivery_id } = delivery;
  const [open, setOpen] = useState(false);
  const last = attempts[attempts.length - 1];
  const replay = () =>
    webhooks.replay(webhookId, delivery_id).then(() => {
      say(text.replayed);
      changed();
    }, sayProblem);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Tag tone={toneOf[status]}>{text.statuses[status]}</Tag>
          <span class="mono strong event">{event}</span>
          <span class="why">
            {last ? last.error ?? text.answered(last.http_status, last.duration_ms) : text.waiting}
          </span>
          <span class="muted num">{attempts.length}×</span>
          <Time at={last?.at ?? delivery.created_at} class="muted" />
        </summary>
        <Attempts delivery={delivery} />
        {open && <Exchange delivery={delivery} webhookId={webhookId} />}
      </details>
      {may("replay_webhook_delivery") && (
        <button type="button" class="button small" disabled={status === "pending"} onClick={replay}>
          <Icon name="again" size={14} />
          {text.replay}
        </button>
      )}
    </li>
  );
}

function Attempts({ delivery: { attempts, event_id } }: { delivery: Delivery }) {
  return (
    <div class="attempts">
      <ol>
        {attempts.map((attempt, n) => (
          <li key={n}>
            <span class="muted num">#{n + 1}</span>
            <time dateTime={attempt.at}>{exactTime(attempt.at)}</time>
            <span>
              {attempt.http_status === null ? text.noAnswer : `HTTP ${attempt.http_status}`}
            </span>
            <span class="muted num ms">{attempt.duration_ms} ms</span>
            <span class="why">{attempt.error ?? text.accepted}</span>
          </li>
        ))}
      </ol>
      <p class="ids">
        <span class="muted">webhook-id</span>
        <code>{event_id}</code>
        <Copy bare text={event_id} label={text.copyId} />
      </p>
    </div>
  );
}

/** The request and the answer: what people ask first after "failed". */
function Exchange({ delivery, webhookId }: { delivery: Delivery; webhookId: string }) {
  const { delivery_id, attempts } = delivery;
  const { data, error, reload } = useLoad(
    () => webhooks.delivery(webhookId, delivery_id),
    [delivery_id, attempts.length],
  );
  if (error) return <Problem error={error} again={reload} />;
  const answered = data?.attempts.findLastIndex(({ answer }) => answer !== null) ?? -1;
  const answer = data?.attempts[answered]?.answer;
  return (
    <div class="exchange">
      <dl class="facts">
        <div>
          <dt>{text.sentTo}</dt>
          <dd class="mono">{delivery.url}</dd>
        </div>
        <div>
          <dt>{text.begun}</dt>
          <dd>{exactTime(delivery.created_at)}</dd>
        </div>
      </dl>
      {!data && <Skeleton rows={2} />}
      {answer === "" && <p class="muted">{text.nothingCameBack}</p>}
      {answer && <Code title={text.cameBack(answered + 1)} text={answer} />}
      {data?.payload && <Code title={text.sent} text={indented(data.payload)} />}
    </div>
  );
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
