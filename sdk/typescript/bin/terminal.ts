import process from "node:process";
import { plain } from "../../../commands/plain.ts";

export { plain };

const colours = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** The text in a colour, if standard output is a terminal and NO_COLOR is unset. */
export function paint(colour: keyof typeof colours, text: string): string {
  if (!process.stdout.isTTY || process.env.NO_COLOR) return text;
  return `\x1b[${colours[colour]}m${text}\x1b[0m`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line of JSON. C1 control characters are escaped: JSON.stringify leaves them. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value).replace(
    /[\x7f-\x9f]/g,
    (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
  );
  print(text);
}

/** Rows below their titles, cut to the width of the terminal; the last column takes what is left. */
export function table(titles: string[], rows: string[][]): string {
  const clean = rows.map((row) => row.map((cell) => plain(cell).replace(/\s+/g, " ")));
  const widths = titles.map((title, n) =>
    Math.max(title.length, ...clean.map((row) => [...row[n]].length))
  );
  const room = process.stdout.columns ?? Infinity;
  const lineOf = (row: string[]) => {
    const cells = row.map((cell, n) => cell + " ".repeat(widths[n] - [...cell].length));
    return [...cells.join("  ").trimEnd()].slice(0, room).join("");
  };
  return [paint("bold", lineOf(titles)), ...clean.map(lineOf)].join("\n");
}

/** A line that the user types; it is not shown. From a pipe: the first line. */
export async function secret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  stdin.setRawMode?.(true);
  let text = "";
  try {
    for await (const piece of stdin) {
      for (const each of String(piece)) {
        if (each === "\x03") process.exit(130);
        if (each === "\r" || each === "\n" || each === "\x04") return text;
        text = each === "\x7f" ? text.slice(0, -1) : text + each;
      }
    }
    return text;
  } finally {
    stdin.setRawMode?.(false);
    if (stdin.isTTY) stderr.write("\n");
  }
}

/** Everything from standard input. */
export async function input(): Promise<string> {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  return text;
}
