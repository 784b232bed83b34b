import { lengthOf, pixelsOf } from "./css_values.ts";

/** The assumed size of the page that shows the mail, in pixels. */
const pageWidth = 1024;
const pageHeight = 768;

/** True if the media query of an `@media` rule or a `media` attribute holds on a light screen of 1024 x 768. */
export function mediaApplies(query: string): boolean {
  const text = query.slice(0, 1000).trim().toLowerCase();
  return text === "" || text.split(",").some(holds);
}

function holds(query: string): boolean {
  const terms = query.split(/\band\b/).map((term) => term.trim());
  const negated = terms[0].startsWith("not ");
  terms[0] = terms[0].replace(/^(?:not|only) /, "").trim();
  return terms.every(termHolds) !== negated;
}

function termHolds(term: string): boolean {
  if (!term.startsWith("(")) return term === "all" || term === "screen";
  const [feature, value = ""] = term.slice(1).replace(/\)$/, "").split(":").map((part) =>
    part.trim()
  );
  const pixels = pixelsOf(lengthOf(value) ?? { value: NaN, unit: "" });
  switch (feature) {
    case "min-width":
    case "min-device-width":
      return pageWidth >= pixels;
    case "max-width":
    case "max-device-width":
      return pageWidth <= pixels;
    case "min-height":
      return pageHeight >= pixels;
    case "max-height":
      return pageHeight <= pixels;
    case "-webkit-min-device-pixel-ratio":
      return pixels <= 1;
    case "prefers-color-scheme":
      return value === "light";
    case "orientation":
      return value === "landscape";
    case "color":
      return true;
    default:
      return false;
  }
}
