import type { HtmlMarks } from "./html_marks.ts";
import { isBlank, isRule, type LineOrigin } from "./lines.ts";
import { isBannerAt, noticesAt, pgpFrame, postscriptIn, signatureAt } from "./own_parts.ts";

/** Separates, in the lines that are still `new`, the text of people from what their programs add. */
export function endOwn(
  lines: readonly string[],
  origins: LineOrigin[],
  marks: HtmlMarks | null,
): void {
  const framed = pgpFrame(lines);
  const own: number[] = [];
  for (let n = 0; n < origins.length; n++) {
    if (origins[n] !== "new") continue;
    if (framed[n]) origins[n] = "signature";
    else own.push(n);
  }
  while (own.length > 0 && isRule(lines[own[own.length - 1]])) {
    const last = own.pop() ?? 0;
    if (!isBlank(lines[last])) origins[last] = "signature";
  }
  const texts = own.map((n) => lines[n]);
  const set = (from: number, to: number, origin: LineOrigin) => {
    for (const n of own.slice(from, to)) origins[n] = origin;
  };
  const marked = marks?.signatureIn(texts) ?? null;
  const lowest = signatureAt(texts) ?? texts.length;
  const last = noticesAt(texts);
  const above = last === null && lowest < texts.length ? noticesAt(texts.slice(0, lowest)) : last;
  const disclaimer = above ?? lowest;
  const disclaimerEnd = last === null ? lowest : texts.length;
  const signature = disclaimer < disclaimerEnd ? signatureAt(texts.slice(0, disclaimer)) : null;
  set(lowest, texts.length, "signature");
  if (signature !== null) set(signature, disclaimer, "signature");
  set(disclaimer, disclaimerEnd, "disclaimer");
  const below = disclaimer < disclaimerEnd
    ? signatureAt(texts.slice(disclaimer, disclaimerEnd))
    : null;
  if (below !== null) set(disclaimer + below, disclaimerEnd, "signature");
  if (marked) set(marked.from, marked.to, "signature");
  const ownEnd = disclaimer < disclaimerEnd ? disclaimer : texts.length;
  const afterwards = postscriptIn(texts.slice(0, ownEnd), signature ?? lowest);
  if (afterwards) set(afterwards.from, afterwards.to, "new");
  const banner = isBannerAt(texts);
  if (banner) set(banner.from, banner.to, "disclaimer");
}
