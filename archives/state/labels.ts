/** An import takes no more. */
const mostLabels = 32;
const longestLabel = 64;

/** A name as a label of the service: `/` and `.` become `:`, blanks `-`, and what no label can have is left out. */
export function labelOf(name: string): string {
  return name.normalize("NFKD").toLowerCase()
    .replace(/[/.]/g, ":").replace(/\s+/g, "-")
    .replace(/[^a-z0-9:_-]/g, "")
    .slice(0, longestLabel);
}

/** Each once, without those of which nothing is left, at most 32. */
export function labelsOf(names: readonly string[]): string[] {
  return [...new Set(names.map(labelOf))].filter(Boolean).slice(0, mostLabels);
}
