import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { number } from "../format.ts";
import { theme } from "../theme.ts";
import { activityWords } from "../pages/usage/activity_words.ts";

export interface Series {
  name: string;
  /** A colour of the style sheet. */
  tone: "ink" | "link" | "ok" | "bad" | "wait";
  /** Dashes, so that two lines differ not only in colour. */
  dashed?: boolean;
  /** One value for each step; null: nothing was measured. */
  values: (number | null)[];
}

export interface ChartProps {
  title: string;
  step: "hour" | "day";
  /** The starts of the steps, seconds since 1970. Without them the chart is still loading, and its place is kept. */
  at: number[] | null;
  series: Series[];
  /** Values that cannot be added, such as times and shares: for these the text has the greatest, not the sum. */
  isLevel?: boolean;
}

const text = activityWords;
const height = 150;

/**
 * A small chart: lines over time. A table has the same numbers, for people who do not see or do not want the picture.
 */
export function Chart({ title, step, at, series, isLevel = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<number | null>(null);
  useEffect(() => {
    if (!at) return;
    let chart: uPlot | null = null, ended = false;
    const node = box.current!;
    const watch = new ResizeObserver(() => {
      if (node.clientWidth > 0) chart?.setSize({ width: node.clientWidth, height });
    });
    // Loaded after the page: 22 KB that nobody waits for.
    import("uplot").then(({ default: UPlot }) => {
      if (ended) return;
      const lines: uPlot.AlignedData = [at, ...series.map(({ values }) => values)];
      chart = new UPlot(optionsOf(series, step, node.clientWidth, point), lines, node);
      watch.observe(node);
    }, () => {});
    return () => {
      ended = true;
      watch.disconnect();
      chart?.destroy();
      point(null);
    };
  }, [at, theme.value]);
  // A level of 0 is a measurement; but if all counts are 0, there is nothing to show.
  const isNothing = (value: number | null) => isLevel ? value === null : !value;
  const isEmpty = at !== null && series.every(({ values }) => values.every(isNothing));
  return (
    <figure class="chart" aria-label={title} aria-busy={at === null}>
      <figcaption>
        <b>{title}</b>
        <span class="legend">
          {at && pointed !== null && <i>{stepName(at[pointed], step)}</i>}
          {series.map((each) => (
            <span key={each.name} class={`key tone-${each.tone} ${each.dashed ? "dashed" : ""}`}>
              {each.name}
              {pointed !== null && <b>{shown(each.values[pointed])}</b>}
            </span>
          ))}
        </span>
      </figcaption>
      <p class="sr">{at && summaryOf(series, step, isLevel)}</p>
      <div class="chart-box">
        <div ref={box} aria-hidden="true" />
        {isEmpty && <p class="chart-empty">{text.nothing}</p>}
      </div>
      {!at && <div class="chart-wait" />}
      {at && <Numbers title={title} step={step} at={at} series={series} />}
    </figure>
  );
}

/** Made when it is opened, because most people look at the picture. */
function Numbers(
  { title, step, at, series }: Pick<ChartProps, "title" | "step" | "series"> & { at: number[] },
) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {text.showNumbers}
        <span class="sr">: {title}</span>
      </summary>
      {open && (
        <div class="chart-numbers" tabIndex={0} role="region" aria-label={text.numbers(title)}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.time}</th>
                {series.map(({ name }) => <th key={name} scope="col">{name}</th>)}
              </tr>
            </thead>
            <tbody>
              {at.map((time, n) => (
                <tr key={time}>
                  <th scope="row">{stepName(time, step)}</th>
                  {series.map(({ name, values }) => <td key={name}>{shown(values[n])}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function shown(value: number | null): string {
  return value === null ? text.notMeasured : number(value);
}

/** A sentence that describes the picture of these values. */
function summaryOf(series: Series[], step: ChartProps["step"], isLevel: boolean): string {
  return series.map(({ name, values }) => {
    const given = values.filter((value) => value !== null);
    const most = number(Math.max(0, ...given));
    if (isLevel) return text.most(name, most);
    return text.sum(
      name,
      number(given.reduce((sum, each) => sum + each, 0)),
      most,
      text.steps[step],
    );
  }).join("; ") + ".";
}

function optionsOf(
  series: Series[],
  step: ChartProps["step"],
  width: number,
  point: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour("ink-2"),
    font: `11px ${colour("sans")}`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(width, 1),
    height,
    // Half of the last label is outside the plot.
    padding: [6, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
    // From 0, so that a line does not look steeper than it is.
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 60,
        values: (_chart, ticks) => ticks.map((tick) => stepName(tick, step)),
        ...(step === "day" ? { incrs: [1, 2, 5, 10].map((days) => days * daySeconds) } : {}),
      },
      { ...axis, size: 38, gap: 6, values: (_chart, ticks) => ticks.map(axisLabel) },
    ],
    ...(step === "day" ? { tzDate: utcAsLocal } : {}),
    series: [
      {},
      ...series.map(({ name, tone, dashed, values }) => ({
        label: name,
        stroke: colour(tone),
        width: 2,
        ...(dashed ? { dash: [6, 4] } : {}),
        // A value between two missing ones has no line, so it gets a point.
        points: { show: values.includes(null), size: 5, fill: colour(tone) },
      })),
    ],
  };
}

const daySeconds = 86_400;

/** uPlot puts its ticks at midnights of the Date that it is given: those of UTC, in which days are counted. */
function utcAsLocal(seconds: number): Date {
  const at = new Date(seconds * 1_000);
  return new Date(at.getTime() + at.getTimezoneOffset() * 60_000);
}

/** "14:00" of an hour here, "3 Jan" of a day in UTC. */
function stepName(seconds: number, step: ChartProps["step"]): string {
  const at = new Date(seconds * 1_000);
  return step === "day"
    ? at.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
    : at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Counts are whole numbers. */
function axisLabel(tick: number): string {
  if (!Number.isInteger(tick)) return "";
  return tick < 10_000 ? number(tick) : `${number(tick / 1_000)}k`;
}
