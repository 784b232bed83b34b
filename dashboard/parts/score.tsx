import { bandOf } from "../format.ts";
import { words } from "../words.ts";

/** The score of a match as a number and a bar, in the same bands as for agents. */
export function Score({ value }: { value: number }) {
  const band = bandOf(value);
  return (
    <span class={`score ${band}`} title={words.search.bands[band]}>
      <span class="score-number">{value.toFixed(2)}</span>
      <svg viewBox="0 0 40 4" width="40" height="4" aria-hidden="true">
        <rect class="track" width="40" height="4" rx="2" />
        <rect class="fill" width={40 * value} height="4" rx="2" />
      </svg>
      <span class="sr">{words.search.bands[band]}</span>
    </span>
  );
}
