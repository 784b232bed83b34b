import cliProgress from "cli-progress";

/** Shows how far a command is. */
export interface Progress {
  start(total: number): void;
  at(position: number, note: string): void;
  stop(): void;
}

/** A bar on a terminal; elsewhere a line every 5 s. */
export function progressBar(unit: "bytes" | "messages"): Progress {
  const scale = unit === "bytes" ? 2 ** 20 : 1;
  const shown = (value: number) => (value / scale).toFixed(unit === "bytes" ? 1 : 0);
  const bar = new cliProgress.SingleBar({
    format: (
      { barCompleteString, barIncompleteString },
      { progress, value, total, eta },
      { note },
    ) => {
      const full = Math.round(progress * 30);
      const drawn = barCompleteString!.slice(0, full) + barIncompleteString!.slice(0, 30 - full);
      const name = unit === "bytes" ? "MiB" : "messages";
      return `${drawn} ${Math.floor(progress * 100)} %  ${shown(value)}/${
        shown(total)
      } ${name}  ${note}  ${eta} s left`;
    },
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  }, cliProgress.Presets.shades_classic);
  return {
    start: (total) => bar.start(total, 0, { note: "" }),
    at: (position, note) => bar.update(position, { note }),
    stop: () => bar.stop(),
  };
}
