import { median } from "./load.ts";

/**
 * One measured figure of this checkout, and that of the bare work or another checkout from the same run, for
 * comparison.
 */
export interface Figure {
  name: string;
  /** The median, if there were rounds. */
  ours: number;
  bare?: number;
  unit: string;
  note?: string;
  /** What each round measured, in order. */
  rounds?: { ours: number[]; bare?: number[] };
}

/** The medians of rounds; each round measured both sides in turn. */
export function figureOf(
  name: string,
  unit: string,
  rounds: { ours: number[]; bare?: number[] },
  note?: string,
): Figure {
  const { ours, bare } = rounds;
  return { name, ours: median(ours), bare: bare && median(bare), unit, note, rounds };
}

/**
 * The ratio of a figure to that of the other side, with the least and the greatest ratio of a round; null without
 * another side.
 */
export function ratioOf({ ours, bare, rounds }: Figure): string | null {
  if (bare === undefined) return null;
  const ratio = (ours / bare).toFixed(2);
  const each = rounds?.ours.map((value, n) => value / (rounds.bare?.[n] ?? NaN)) ?? [];
  if (each.length < 2) return ratio;
  return `${ratio} (${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)})`;
}

/** Prints the figures as a table of Markdown; `otherHeading` is the heading of the other side. */
export function printTable(figures: Figure[], otherHeading: string): void {
  const shown = (value: number) => {
    if (!Number.isFinite(value)) return String(value);
    return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
  };
  console.log(`| what | this | ${otherHeading} | ratio | |\n| --- | --- | --- | --- | --- |`);
  for (const figure of figures) {
    const { name, ours, bare, unit, note = "" } = figure;
    const other = bare === undefined ? "" : `${shown(bare)} ${unit}`;
    const cells = [name, `${shown(ours)} ${unit}`, other, ratioOf(figure) ?? "", note];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
