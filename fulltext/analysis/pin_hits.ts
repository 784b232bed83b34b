/**
 * Puts one hit of each group among the first hits of a ranking, in place. If a group has a hit there, it stays;
 * otherwise the best hit of the group replaces the last of the first hits that belongs to no group. The best hit of
 * each group comes first in it. Returns the hits that were kept or moved for a group.
 */
export function pinHits<Hit>(ranked: Hit[], groups: Hit[][], firstHits: number): Set<Hit> {
  const kept = new Set<Hit>();
  const missing: Hit[] = [];
  const first = new Set(ranked.slice(0, firstHits));
  for (const group of groups) {
    const there = group.find((hit) => first.has(hit));
    if (there !== undefined) kept.add(there);
    else if (group.length > 0) missing.push(group[0]);
  }
  for (const hit of missing) {
    if (kept.has(hit)) continue;
    const last = ranked.slice(0, firstHits).findLastIndex((each) => !kept.has(each));
    const from = ranked.indexOf(hit);
    if (ranked.length < firstHits) ranked.push(hit);
    else if (last < 0) break;
    else {
      if (from >= 0) ranked.splice(from, 1);
      const [displaced] = ranked.splice(last, 1);
      ranked.splice(firstHits - 1, 0, hit, displaced);
    }
    kept.add(hit);
  }
  return kept;
}
