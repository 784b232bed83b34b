import type { TextSink } from "./limits.ts";
import { readXml } from "./xml.ts";

/** Shows the number of a cell as the date that its style makes of it; null if the style shows a number. */
export type DateOf = (style: number, value: string) => string | null;

/** What the workbook has about dates: its parts `xl/styles.xml` and `xl/workbook.xml`, if it has them. */
export function datesOf(
  styles: Uint8Array | undefined,
  workbook: Uint8Array | undefined,
  sink: TextSink,
): DateOf {
  const isDate = styles ? dateStyles(styles, sink) : [];
  const firstDay = workbook && countsFrom1904(workbook, sink) ? 24_107 : 25_569;
  return (style, value) =>
    isDate[style] && value !== "" ? shownDate(Number(value), firstDay) : null;
}

/** The built-in formats of dates and times (ECMA-376 part 1, 18.8.30), with those of East Asia; 46 is a duration. */
const isBuiltIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 ||
  (id >= 50 && id <= 58);

/** At most this many styles of cells are kept; Excel allows 65,490. */
const maxStyles = 65_536;

/** For each style of cells whether it shows a date or a time. */
function dateStyles(styles: Uint8Array, sink: TextSink): boolean[] {
  const own = new Map<string, boolean>();
  const isDate: boolean[] = [];
  let inCells = false;
  readXml(styles, {
    open(name, attributes) {
      if (name === "numFmt") {
        own.set(attributes.numFmtId, isDateFormat(attributes.formatCode ?? ""));
      } else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells && isDate.length < maxStyles) {
        const id = attributes.numFmtId ?? "";
        isDate.push(own.get(id) ?? isBuiltIn(Number(id)));
      }
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  }, sink);
  return isDate;
}

/**
 * True if a format has a letter of dates or times outside of quotes, escapes and brackets: `dd.mm.yyyy`, not `0 "days"`.
 * `[h]:mm` is a duration.
 */
function isDateFormat(format: string): boolean {
  const shown = format.slice(0, 255).replace(/"[^"]*"?|\\.|_.|\*./g, "");
  return !/\[[hms]+\]/i.test(shown) && /[dmyhs]/i.test(shown.replace(/\[[^\]]*\]?/g, ""));
}

function countsFrom1904(workbook: Uint8Array, sink: TextSink): boolean {
  let found = false;
  readXml(workbook, {
    open(name, { date1904 }) {
      if (name === "workbookPr") found = date1904 === "1" || date1904 === "true";
    },
  }, sink);
  return found;
}

const secondsOfDay = 86_400;
/** The days of the year 9999, the last one that Excel shows. */
const maxDays = 2_958_466;

/** `2026-11-23`, `2026-11-23 09:30`, or `09:30` for less than a day; null for a number that is no date. */
function shownDate(days: number, firstDay: number): string | null {
  if (!(days >= 0 && days < maxDays)) return null;
  const seconds = Math.round(days * secondsOfDay);
  const iso = new Date((seconds - firstDay * secondsOfDay) * 1_000).toISOString();
  const time = iso.slice(11, iso.slice(17, 19) === "00" ? 16 : 19);
  if (seconds < secondsOfDay) return time;
  return seconds % secondsOfDay === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}
