/** Names that are compared are short; of a longer one the beginning counts. */
const comparedChars = 40;
/** Shorter names begin other ones by chance: `to` and `topic`. */
const leastPrefixChars = 3;
/** A known name with a word appended counts as two edits, however long the word is. */
const appendedEdits = 2;

/**
 * Ends a sentence about a name that is not known: `the nearest is X`, or without a near one `the PLURAL are A, B`, or
 * `there are none here`. `show` writes a known name, such as in quotes.
 */
export function knownNames(
  given: string,
  known: readonly string[],
  plural: string,
  show: (name: string) => string = (name) => name,
): string {
  if (known.length === 0) return "there are none here";
  const near = nearestName(given, known);
  return near === null
    ? `the ${plural} are ${known.map(show).join(", ")}`
    : `the nearest is ${show(near)}`;
}

/**
 * The known name that begins with the given one (`timeout` is `timeout_seconds`) or has it as a word (`text` is
 * `body_text`), else the one with the fewest edits. null if the edits are more than a third of the longer name: then the
 * likeness is chance (`tags` and `to`).
 */
function nearestName(given: string, known: readonly string[]): string | null {
  const name = given.slice(0, comparedChars).toLowerCase();
  const ranked = known.map((each) => ({ each, ...distance(name, each) }))
    .filter(({ rank, each }) => rank <= Math.ceil(Math.max(name.length, each.length) / 3))
    .sort((one, other) => one.rank - other.rank || one.edits - other.edits);
  return ranked[0]?.each ?? null;
}

function distance(name: string, known: string): { rank: number; edits: number } {
  const edits = editDistance(name, known);
  const isLong = Math.min(name.length, known.length) >= leastPrefixChars;
  // One letter is an initial: `q` is `query`.
  const isBeginning = (isLong || name.length === 1) && known.startsWith(name);
  if (isBeginning || known.split("_").includes(name)) return { rank: 0, edits };
  const isAppended = isLong && name.startsWith(known);
  return { rank: isAppended ? Math.min(edits, appendedEdits) : edits, edits };
}

/** The edits between two short texts: a letter more, less or other, or two neighbours exchanged (Damerau). */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchanged = isExchanged ? before[j - 2] + 1 : Infinity;
      next.push(Math.min(changed, exchanged, row[j] + 1, next[j - 1] + 1));
    }
    [before, row] = [row, next];
  }
  return row[to.length];
}
