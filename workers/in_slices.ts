/** Leases that are renewed or taken over at the same time: they share commits. */
const leasesAtOnce = 256;

/** Works on all in slices of `leasesAtOnce`. `each`: how many leases `work` gets. */
export async function inSlices<Item>(
  items: readonly Item[],
  each: number,
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += leasesAtOnce) {
    const slice = items.slice(at, at + leasesAtOnce);
    const parts = Array.from(
      { length: Math.ceil(slice.length / each) },
      (_, n) => slice.slice(n * each, n * each + each),
    );
    await Promise.all(parts.map(work));
  }
}
