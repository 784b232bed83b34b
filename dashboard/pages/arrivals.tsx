import { useEffect } from "preact/hooks";
import { bytes, number } from "../format.ts";
import { listen } from "../live.ts";
import { Icon } from "../parts/icon.tsx";
import { More, usePages } from "../parts/pages.tsx";
import { Empty, PageHead, Problem, Skeleton, Table, Tag, Time } from "../parts/small.tsx";
import { arrivals } from "../resources.ts";
import { query } from "../router.ts";
import type { Arrival } from "../types.ts";
import { words } from "../words.ts";

const tones = { accepted: "ok", duplicate: "plain", rejected: "bad" } as const;
const text = words.arrivals;

/** The ledger: every attempt to deliver mail, with its result. */
export default function ArrivalsPage() {
  const disposition = query.value.get("disposition") ?? undefined;
  const pages = usePages(
    (cursor) => arrivals.list({ disposition, limit: 50, cursor }),
    [disposition],
  );
  useEffect(() => listen(pages.reload), [disposition]);
  const { rows, error } = pages;
  return (
    <div class="page">
      <PageHead title={words.pages.arrivals} lead={text.lead} />
      <nav class="tabs" aria-label={words.which}>
        {text.tabs.map(([label, value]) => (
          <a
            key={label}
            href={value ? `/app/arrivals?disposition=${value}` : "/app/arrivals"}
            aria-current={disposition === value ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {error && <Problem error={error} again={pages.reload} />}
      {!rows && !error && <Skeleton />}
      {rows?.length === 0 && (
        <Empty icon="ledger" title={disposition ? text.noneOfThese : text.nothing}>
          <p>{text.nothingLead}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && <Ledger rows={rows} />}
      <More pages={pages} />
    </div>
  );
}

function Ledger({ rows }: { rows: Arrival[] }) {
  const { when, outcome, from, to, via, size, message } = text.columns;
  return (
    <Table
      class="arrivals"
      heads={[when, outcome, from, to, via, [size, "end"], [message, "sr"]]}
    >
      {rows.map((each) => <ArrivalRow key={each.arrival_id} arrival={each} />)}
    </Table>
  );
}

function ArrivalRow({ arrival }: { arrival: Arrival }) {
  const { disposition, code, sender, recipient, email_id: emailId, count } = arrival;
  return (
    <tr>
      <td data-label={text.columns.when}>
        <Time at={arrival.received_at} />
      </td>
      <td data-label={text.columns.outcome}>
        <Tag tone={tones[disposition]}>{text.dispositions[disposition]}</Tag>
        {code && <span class="code-why" title={code}>{text.why[code] ?? code}</span>}
        {count > 1 && <span class="muted num">× {number(count)}</span>}
      </td>
      <td data-label={text.columns.from} class="cut" title={sender || undefined}>
        {sender || <span class="muted">{text.nullSender}</span>}
      </td>
      <td data-label={text.columns.to} class="cut" title={recipient}>{recipient}</td>
      <td data-label={text.columns.via}>{arrival.source}</td>
      <td data-label={text.columns.size} class="end num">
        {arrival.size ? bytes(arrival.size) : "–"}
      </td>
      <td class="end">
        {emailId && disposition === "accepted" && (
          <a
            class="icon-button"
            href={`/app/email/${emailId}`}
            aria-label={text.open(sender || text.nullSender)}
          >
            <Icon name="inbox" size={16} />
          </a>
        )}
      </td>
    </tr>
  );
}
