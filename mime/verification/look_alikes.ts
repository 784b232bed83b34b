import { domainToUnicode } from "node:url";

/** Second labels under which a country registers names: `co.uk`. */
const secondLabels = new Set(
  "ac co com edu gob gov gub ltd me ne net nom or org plc sch".split(" "),
);

/** The registered domain of a host, approximately: two labels, or three under `co.uk` and the like. */
export function siteOf(host: string): string {
  const labels = host.toLowerCase().split(".");
  const last = labels.at(-1) ?? "";
  const wide = labels.length > 2 && last.length === 2 && secondLabels.has(labels.at(-2)!);
  return labels.slice(wide ? -3 : -2).join(".");
}

/**
 * True if `host` is another site that a hasty reader takes for `known`: letters that look alike, one letter more or
 * less, or all of `known` in front of another domain.
 */
export function imitates(host: string, known: string): boolean {
  const [site, real] = [siteOf(host), siteOf(known)];
  if (site === real || real.length < 4) return false;
  if (`.${host}`.includes(`.${real}.`)) return true;
  const name = real.slice(0, real.indexOf("."));
  const other = domainToUnicode(site).split(".")[0] || site.split(".")[0];
  if (name.length < 4) return false;
  if (skeleton(other) === skeleton(name)) return other !== name;
  return name.length >= 5 && isOneStepFrom(other, name);
}

const lookalikes = new Map(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdɡgӏlνvοoαaıi0o1l3e5s"].flatMap((c, n, all) =>
    n % 2 === 0 ? [[c, all[n + 1]] as const] : []
  ),
);

/** A name with each look-alike replaced by the letter that it imitates. */
function skeleton(name: string): string {
  const letters = [...name.normalize("NFKD").replace(/\p{M}/gu, "")];
  return letters.map((letter) => lookalikes.get(letter) ?? letter).join("")
    .replaceAll("rn", "m").replaceAll("vv", "w").replaceAll("i", "l").replaceAll("-", "");
}

/** True if the names differ in one letter: changed, added, missing or swapped with its neighbour. */
function isOneStepFrom(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]
  ) end++;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isSwap = inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0];
  return (inA.length <= 1 && inB.length <= 1) || isSwap;
}
