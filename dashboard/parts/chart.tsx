import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { number } from "../format.ts";
import { theme } from "../theme.ts";
import { words } from "../words.ts";

export interface Series {
  name: string;
  /** A colour of the style sheet. */
  tone: "ink" | "link" | "ok" | "bad" | "wait";
  /** One value a step; null: nothing was measured. */
  values: (number | null)[];
}

const height = 150;

/** A small chart: lines over time. For a screen reader, and where nothing is drawn, the sums. */
export function Chart({ title, at, series }: { title: string; at: number[]; series: Series[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = box.current!;
    const chart = new uPlot(
      optionsOf(series, node.clientWidth),
      [at, ...series.map(({ values }) => values)],
      node,
    );
    const watch = new ResizeObserver(() => {
      if (node.clientWidth > 0) chart.setSize({ width: node.clientWidth, height });
    });
    watch.observe(node);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [at, series, theme.value]);
  return (
    <figure class="chart" aria-label={`${title}: ${summary(series)}`}>
      <figcaption>
        <span>{title}</span>
        <span class="legend">
          {series.map(({ name, tone }) => <span key={name} class={`key tone-${tone}`}>{name}
          </span>)}
        </span>
      </figcaption>
      <div ref={box} class="chart-box" aria-hidden="true" />
    </figure>
  );
}

function summary(series: Series[]): string {
  return series.map(({ name, values }) => {
    const given = values.filter((value) => value !== null);
    return words.activity.summary(
      name,
      number(given.reduce((sum, value) => sum + value, 0)),
      number(Math.max(0, ...given)),
    );
  }).join("; ");
}

function optionsOf(series: Series[], width: number): uPlot.Options {
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
    legend: { show: false },
    cursor: { show: false },
    // From 0: a line must not look steeper than it is.
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max, 1) * 1.1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 60,
        values: (_chart, ticks, _axis, _space, increment) =>
          ticks.map((tick) => timeLabel(tick, increment)),
      },
      { ...axis, size: 40, values: (_chart, ticks) => ticks.map((tick) => axisLabel(tick)) },
    ],
    series: [
      {},
      ...series.map(({ name, tone }) => ({
        label: name,
        stroke: colour(tone),
        width: 2,
        points: { show: false },
      })),
    ],
  };
}

const daySeconds = 86_400;

/** The hour of a tick, or its day if the ticks are days apart. */
function timeLabel(tick: number, incrementSeconds: number): string {
  const at = new Date(tick * 1_000);
  return incrementSeconds >= daySeconds
    ? at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })
    : at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Counts have no halves. */
function axisLabel(tick: number): string {
  return Number.isInteger(tick) ? number(tick) : "";
}
