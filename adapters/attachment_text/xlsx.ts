import { maxTextChars, TextSink } from "./limits.ts";
import { type DateOf, datesOf } from "./xlsx_dates.ts";
import { readXml } from "./xml.ts";
import { zipParts } from "./zip.ts";

const sheet = /^xl\/worksheets\/sheet(\d{1,5})\.xml$/;
const stringsPart = "xl/sharedStrings.xml";
const stylesPart = "xl/styles.xml";
const workbookPart = "xl/workbook.xml";
const otherParts = [stringsPart, stylesPart, workbookPart];

/** Between two cells of a row the text has at most this many empty ones. */
const maxEmptyCells = 100;

/**
 * The text of a workbook (ECMA-376 part 1, 18): rows as lines, cells between tabs, one sheet after another. Dates are
 * written as in ISO 8601, other values as they are stored. An empty cell keeps its place.
 */
export function xlsxText(bytes: Uint8Array): string {
  const sink = new TextSink();
  const files = zipParts(bytes, (name) => otherParts.includes(name) || sheet.test(name));
  const strings = sharedStrings(files.get(stringsPart)?.());
  const dateOf = datesOf(files.get(stylesPart)?.(), files.get(workbookPart)?.(), sink);
  const sheets = [...files].flatMap(([name, content]) => {
    const number = sheet.exec(name)?.[1];
    return number === undefined ? [] : [{ number: Number(number), content }];
  });
  sheets.sort((a, b) => a.number - b.number);
  for (const { content } of sheets) if (!sink.isFull) readSheet(content(), strings, dateOf, sink);
  return sink.text;
}

function sharedStrings(content: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  if (!content) return strings;
  // Strings beyond the limit of the text would not be shown.
  const sink = new TextSink();
  let current = "", inText = false, phonetic = false;
  readXml(content, {
    open(name) {
      if (name === "t") inText = true;
      else if (name === "rPh") phonetic = true;
    },
    text(text) {
      if (!inText || phonetic) return;
      current += text;
      sink.add(text);
    },
    close(name) {
      if (name === "t") inText = false;
      else if (name === "rPh") phonetic = false;
      else if (name === "si") {
        strings.push(current.slice(0, maxTextChars));
        current = "";
      }
    },
  }, sink);
  return strings;
}

function readSheet(
  content: Uint8Array,
  strings: readonly string[],
  dateOf: DateOf,
  sink: TextSink,
): void {
  let type = "", style = 0, value = "", inValue = false, column = 0, shownColumns = 0;
  const shownValue = () => {
    if (type === "s") return strings[Number(value)] ?? "";
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    return (type === "" || type === "n") && dateOf(style, value) || value;
  };
  readXml(content, {
    open(name, attributes) {
      if (name === "row") column = shownColumns = 0;
      else if (name === "c") {
        [type, style, value] = [attributes.t ?? "", Number(attributes.s ?? 0), ""];
        column = columnOf(attributes.r) ?? column + 1;
      } else if (name === "v" || name === "t") inValue = true;
    },
    text(text) {
      if (inValue && value.length < maxTextChars) value += text;
    },
    close(name) {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "c") {
        const shown = value === "" ? "" : shownValue();
        if (shown === "") return;
        const empty = Math.min(Math.max(0, column - shownColumns - 1), maxEmptyCells);
        sink.add(`${"\t".repeat(empty)}${shown.replaceAll("\n", " ")}\t`);
        shownColumns = column;
      } else if (name === "row") sink.add("\n");
    },
  }, sink);
  sink.add("\n");
}

/** The number of the column of a cell: 3 of `C7`. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
