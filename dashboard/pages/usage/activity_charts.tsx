import { useState } from "preact/hooks";
import { Chart, type Series } from "../../parts/chart.tsx";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton } from "../../parts/small.tsx";
import type { ActivityStep } from "../../pending_types.ts";
import { watch } from "../../resources.ts";
import { words } from "../../words.ts";

const text = words.activity;
const hour = 3_600_000;
const spans = {
  day: { ms: 24 * hour, step: "hour" },
  month: { ms: 30 * 24 * hour, step: "day" },
} as const;
type Span = keyof typeof spans;

/** Mail, deliveries and searches over the last day by hour, or over the last month by day. */
export function ActivityCharts() {
  const [span, setSpan] = useState<Span>("day");
  const { ms, step } = spans[span];
  const { data, error, reload } = useLoad(() => {
    const to = Date.now();
    const at = (time: number) => new Date(time).toISOString();
    return watch.activity({ from: at(to - ms), to: at(to), step });
  }, [span]);
  return (
    <section class="activity" aria-label={text.title}>
      <header class="section-head">
        <h2>{text.title}</h2>
        <div class="views" role="group" aria-label={words.which}>
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
      {!data && !error && <Skeleton rows={3} />}
      {data && <Charts steps={data} />}
    </section>
  );
}

function Charts({ steps }: { steps: ActivityStep[] }) {
  const at = steps.map((each) => Date.parse(each.at) / 1_000);
  const series = (name: string, tone: Series["tone"], field: keyof ActivityStep): Series => ({
    name,
    tone,
    values: steps.map((each) => each[field] as number | null),
  });
  const charts = [
    {
      title: text.mail,
      series: [
        series(text.received, "ink", "received"),
        series(text.sent, "link", "sent"),
      ],
    },
    {
      title: text.deliveries,
      series: [
        series(text.delivered, "ok", "delivered"),
        series(text.failed, "bad", "failed"),
      ],
    },
    { title: text.searches, series: [series(text.searches, "ink", "searches")] },
    { title: text.latency, series: [series(text.p95, "wait", "search_p95_ms")] },
  ];
  return (
    <div class="charts">
      {charts.map((each) => <Chart key={each.title} at={at} {...each} />)}
    </div>
  );
}
