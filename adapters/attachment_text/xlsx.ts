import { maxTextChars, TextSink } from "./limits.ts";
import { readXml } from "./xml.ts";
import { zipParts } from "./zip.ts";

const sheet = /^xl\/worksheets\/sheet(\d{1,5})\.xml$/;
const stringsPart = "xl/sharedStrings.xml";

/**
 * The text of a workbook (ECMA-376 part 1, 18): rows as lines, cells between tabs, one sheet after another. A cell is
 * shown as it is stored: a date is the number of its day.
 */
export function xlsxText(bytes: Uint8Array): string {
  const sink = new TextSink();
  const files = zipParts(bytes, (name) => name === stringsPart || sheet.test(name));
  const strings = sharedStrings(files.get(stringsPart)?.());
  const sheets = [...files].flatMap(([name, content]) => {
    const number = sheet.exec(name)?.[1];
    return number === undefined ? [] : [{ number: Number(number), content }];
  });
  sheets.sort((a, b) => a.number - b.number);
  for (const { content } of sheets) if (!sink.isFull) readSheet(content(), strings, sink);
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

function readSheet(content: Uint8Array, strings: readonly string[], sink: TextSink): void {
  let type = "", value = "", inValue = false;
  readXml(content, {
    open(name, attributes) {
      if (name === "c") [type, value] = [attributes.t ?? "", ""];
      else if (name === "v" || name === "t") inValue = true;
    },
    text(text) {
      if (inValue && value.length < maxTextChars) value += text;
    },
    close(name) {
      if (name === "v" || name === "t") inValue = false;
      else if (name === "c") {
        const shown = type === "s" ? strings[Number(value)] ?? "" : value;
        if (shown !== "") sink.add(`${shown.replaceAll("\n", " ")}\t`);
      } else if (name === "row") sink.add("\n");
    },
  }, sink);
  sink.add("\n");
}
