import process from "node:process";

/** Shows how far a command is. */
export interface Progress {
  /** null: how much it will be is not known. */
  start(total: number | null): void;
  at(position: number, note: string): void;
  stop(): void;
}

const barWidth = 30;
const redrawMs = 100, lineMs = 5_000;

/**
 * On a terminal a bar with the rate and the time that is left; elsewhere a line every 5 s. `elapsed` measures time in ms. It writes
 * to standard error, of which no program reads figures.
 */
export function progressBar(unit: "bytes" | "messages", elapsed: () => number): Progress {
  const { stderr } = process;
  const isTerminal = Boolean(stderr.isTTY);
  let total: number | null = 0, start = 0, drawn = -Infinity, last = "";
  const draw = (line: string) => {
    stderr.write(isTerminal ? `\r${line.slice(0, (stderr.columns ?? 80) - 1)}\x1b[K` : `${line}\n`);
    drawn = elapsed();
  };
  return {
    start(all) {
      [total, start] = [all, elapsed()];
      // The first line comes when there is something to tell.
      if (!isTerminal) drawn = start;
    },
    at(position, note) {
      last = progressLine({ unit, total, position, note, ms: elapsed() - start });
      if (elapsed() - drawn >= (isTerminal ? redrawMs : lineMs)) draw(last);
    },
    stop() {
      if (last && isTerminal) {
        draw(last);
        stderr.write("\n");
      }
      last = "";
    },
  };
}

/** `█████░░░░░ 50 %  1.0/2.0 MiB  0.5 MiB/s  12 new  2 s left`; without a total `12 messages  6 messages/s`. */
export function progressLine({ unit, total, position, note, ms }: {
  unit: "bytes" | "messages";
  total: number | null;
  position: number;
  note: string;
  ms: number;
}): string {
  const shown = (value: number) => unit === "bytes" ? (value / 2 ** 20).toFixed(1) : String(value);
  const rate = ms > 0 ? position / (ms / 1_000) : 0;
  const name = unit === "bytes" ? "MiB" : "messages";
  const pace = `${unit === "bytes" ? shown(rate) : Math.round(rate)} ${name}/s`;
  if (total === null) return [`${shown(position)} ${name}`, pace, note].filter(Boolean).join("  ");
  const share = total > 0 ? Math.min(1, position / total) : 1;
  const full = Math.round(share * barWidth);
  const left = rate > 0 ? `${Math.ceil((total - position) / rate)} s left` : "";
  return [
    `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${Math.floor(share * 100)} %`,
    `${shown(position)}/${shown(total)} ${name}`,
    pace,
    note,
    left,
  ].filter(Boolean).join("  ");
}
