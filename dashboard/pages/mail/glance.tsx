import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { bytes, number } from "../../format.ts";
import { listen } from "../../live.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Keys, Time } from "../../parts/small.tsx";
import { attention, reloadAttention, waitingDrafts } from "../../state.ts";
import type { Attention } from "../../types.ts";
import { words } from "../../words.ts";

/** Next to the list, if no message is open: what needs attention. */
export function Glance() {
  const data = attention.value;
  useEffect(() => listen(() => void reloadAttention().catch(() => {})), []);
  return (
    <div class="glance">
      {data && (isQuiet(data)
        ? (
          <p class="quiet">
            <Icon name="check" size={18} />
            {words.glance.quiet}
          </p>
        )
        : <NeedsLook attention={data} />)}
      {data && data.pending_vectors > 0 && (
        <p class="muted">{words.glance.byWordsOnly(data.pending_vectors)}</p>
      )}
      <dl class="hints">
        {words.glance.hints.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              <Keys text={keys} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function isQuiet({ failed_deliveries, refused, failed_sends, loops, quotas }: Attention) {
  return loops.length === 0 && failed_deliveries.length === 0 && refused.count === 0 &&
    failed_sends === 0 &&
    waitingDrafts.value.ids.length === 0 && quotas.length === 0;
}

function NeedsLook({ attention }: { attention: Attention }) {
  const { failed_deliveries, refused, failed_sends, loops, quotas } = attention;
  const count = waitingDrafts.value.ids.length;
  const text = words.glance;
  return (
    <section>
      <h2>{text.title}</h2>
      <ul class="cards">
        {count > 0 && <Look icon="hand" to="/app/drafts" title={text.waiting(count)} />}
        {loops.map(({ thread_id, mailbox_id, recipient, at }) => (
          <Look
            key={thread_id}
            icon="again"
            to={`/app/mail/${mailbox_id}/t/${thread_id}`}
            title={text.loop}
            detail={text.loopDetail(recipient)}
            at={at}
          />
        ))}
        {failed_deliveries.map(({ webhook_id, url, count, last_error, at }) => (
          <Look
            key={webhook_id}
            icon="hook"
            tone="bad"
            to={`/app/webhooks/${webhook_id}?status=failed`}
            title={text.deliveriesFailed(count)}
            detail={`${url}${last_error ? ` · ${last_error}` : ""}`}
            at={at}
          />
        ))}
        {refused.count > 0 && (
          <Look
            icon="ledger"
            to="/app/arrivals?disposition=rejected"
            title={text.refused(refused.count)}
            detail={refused.last && `${refused.last.recipient} · ${whyOf(refused.last.code)}`}
            at={refused.last?.received_at}
          />
        )}
        {failed_sends > 0 && (
          <Look
            icon="warning"
            tone="bad"
            to="/app/mail/all?direction=outbound"
            title={text.sendsFailed(failed_sends)}
          />
        )}
        {quotas.map(({ what, used, limit }) => (
          <Look
            key={what}
            icon="gauge"
            to="/app/usage"
            title={text.quota(words.quotas[what] ?? what)}
            detail={`${amount(what, used)} ${words.of(amount(what, limit))}`}
          />
        ))}
      </ul>
    </section>
  );
}

const amount = (what: string, n: number) => what.includes("storage") ? bytes(n) : number(n);
const whyOf = (code: string | null) => (code && words.arrivals.why[code]) || code;

function Look(
  { icon, tone = "wait", to, title, detail, at }: {
    icon: IconName;
    tone?: "bad" | "wait";
    to: string;
    title: string;
    detail?: ComponentChildren;
    at?: string;
  },
) {
  return (
    <li class="card-row look">
      <span class={`look-icon ${tone}`}>
        <Icon name={icon} size={16} />
      </span>
      <a class="card-main" href={to}>
        <span class="strong">{title}</span>
        {detail && <span class="muted">{detail}</span>}
      </a>
      {at && <Time at={at} class="muted" />}
    </li>
  );
}
