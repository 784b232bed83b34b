import { useMemo, useState } from "preact/hooks";
import { Chart, type ChartProps, type Series } from "../../parts/chart.tsx";
import { useLoad } from "../../parts/load.ts";
import { useRefresh } from "./refresh.ts";
import { Problem } from "../../parts/small.tsx";
import { watch } from "../../resources.ts";
import { account } from "../../state.ts";
import type { Activity, Subscription, Usage } from "../../types.ts";
import { activityWords } from "./activity_words.ts";

const text = activityWords;
const hour = 3_600_000, day = 24 * hour;
const spans = {
  day: { ms: 24 * hour, step: "hour" },
  month: { ms: 30 * day, step: "day" },
} as const;
type Span = keyof typeof spans;

/** Mail, deliveries and searches over the last day by hour, or over the last month by day. */
export function ActivityCharts() {
  const [span, setSpan] = useState<Span>("day");
  const { data, error, reload } = useLoad(async () => {
    const { ms, step } = spans[span];
    const to = Date.now();
    return { span, steps: await watch.activity({ ...between(to - ms, to), step }) };
  }, [span]);
  useRefresh(reload);
  // The old charts stay while the other time span is loaded.
  const charts = useMemo(
    () => chartsOf(data?.steps ?? null, spans[data?.span ?? span].step),
    [data],
  );
  return (
    <section class="activity">
      <header class="section-head">
        <div>
          <h2>{text.title}</h2>
          <p>{text.lead}</p>
        </div>
        <div class="views" role="group" aria-label={text.span}>
          {(["day", "month"] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={span === name}
              onClick={() => setSpan(name)}
            >
              {text.spans[name]}
            </button>
          ))}
        </div>
      </header>
      {error && <Problem error={error} again={reload} />}
      <div class="charts">
        {charts.map((each) => <Chart key={each.title} {...each} />)}
      </div>
    </section>
  );
}

function chartsOf(steps: Activity[] | null, step: ChartProps["step"]): ChartProps[] {
  const at = steps && steps.map((each) => Date.parse(each.at) / 1_000);
  const series = (name: string, tone: Series["tone"], field: Exclude<keyof Activity, "at">) => ({
    ...{ name, tone },
    values: (steps ?? []).map((each) => each[field]),
  });
  return [
    {
      ...{ title: text.mail, step, at },
      series: [
        series(text.received, "ink", "received"),
        { ...series(text.sent, "link", "sent"), dashed: true },
      ],
    },
    {
      ...{ title: text.deliveries, step, at },
      series: [
        series(text.delivered, "ok", "delivered"),
        { ...series(text.failed, "bad", "failed"), dashed: true },
      ],
    },
    { ...{ title: text.searches, step, at }, series: [series(text.made, "ink", "searches")] },
    {
      ...{ title: text.latency, step, at, isLevel: true },
      series: [series(text.p95, "wait", "search_p95_ms")],
    },
  ];
}

interface OfPeriod {
  usage?: Usage;
  subscription?: Subscription;
}

/** The use of the period's quotas, day by day; nothing if the plan has no limit for them. */
export function QuotaChart(given: OfPeriod) {
  const { emailsPerMonth, searchesPerMonth } = account.value!.limits;
  return emailsPerMonth || searchesPerMonth ? <LimitedChart {...given} /> : null;
}

function LimitedChart({ usage, subscription }: OfPeriod) {
  const start = subscription?.currentPeriodStart;
  const { data, error, reload } = useLoad(async () => {
    if (start === undefined) return null;
    const from = Date.parse(start);
    return await watch.activity({ ...between(from, Math.max(Date.now(), from + 1)), step: "day" });
  }, [start]);
  useRefresh(reload);
  const chart = useMemo(() => quotaChartOf(usage, data), [usage, data]);
  if (error) return <Problem error={error} again={reload} />;
  return (
    <div class="charts">
      <Chart {...chart} />
    </div>
  );
}

type Field = "received" | "searches";
type Limit = number | null;

function quotaChartOf(usage: Usage | undefined, days: Activity[] | null): ChartProps {
  const { emailsPerMonth, searchesPerMonth } = account.value!.limits;
  const known = usage && days;
  const quotas: { look: Omit<Series, "values">; field: Field; used: number; limit: Limit }[] = [
    {
      look: { name: text.emails, tone: "ink" },
      field: "received",
      used: usage?.emailsUsed ?? 0,
      limit: emailsPerMonth,
    },
    {
      look: { name: text.quotaSearches, tone: "link", dashed: true },
      field: "searches",
      used: usage?.searchesUsed ?? 0,
      limit: searchesPerMonth,
    },
  ];
  const series = quotas.flatMap(({ limit, used, field, look }) =>
    limit ? [{ ...look, values: sharesOf(known ?? [], field, used, limit) }] : []
  );
  const at = known ? known.map((each) => Date.parse(each.at) / 1_000) : null;
  return { title: text.quota, step: "day", at, series, isLevel: true };
}

/** The percentage that was used at the end of each day; the last value is the use now. */
function sharesOf(
  days: Activity[],
  field: Field,
  used: number,
  limit: number,
): number[] {
  let left = used;
  return days.toReversed().map((each) => {
    const share = Math.round(1_000 * Math.max(0, left) / limit) / 10;
    left -= each[field];
    return share;
  }).reverse();
}

function between(from: number, to: number): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
