/**
 * Brings one hit of each group among the first of a ranking, in place. A group that has one there
 * keeps it; the best of another replaces the last of the first hits that is there for no group.
 * Groups have their best first. Returns the hits that stand for a group.
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
