/** A piece of JSON: a string, a number or word, or punctuation. Each alternative is linear in its length. */
const token = /[ \t\r\n]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}[\]:,])|([^"{}[\]:,\s]+))/gsy;

/**
 * Returns the name of the tool that a JSON-RPC message calls, read from its beginning; null if `method` or
 * `params.name` is not in it. Members may be in any order. The result is not certain: a later duplicate member can
 * change it.
 */
export function claimedTool(beginning: Uint8Array): string | null {
  const text = new TextDecoder().decode(beginning);
  /** The current key of each open object; null for an array. */
  const path: (string | null)[] = [];
  const found = { method: "", name: "" };
  let isKey = false;
  for (const [, string, mark, word] of text.matchAll(token)) {
    if (mark === "{" || mark === "[") {
      path.push(mark === "{" ? "" : null);
      isKey = mark === "{";
    } else if (mark === "}" || mark === "]") {
      path.pop();
      isKey = false;
    } else if (mark === ",") isKey = typeof path.at(-1) === "string";
    else if (mark === ":") isKey = false;
    else if (string !== undefined && isKey) path[path.length - 1] = plain(string);
    else if (string !== undefined) {
      if (path.length === 1 && path[0] === "method") found.method = plain(string);
      if (path.length === 2 && path[0] === "params" && path[1] === "name") {
        found.name = plain(string);
      }
    } else if (word === undefined) break;
    if (found.method && found.name) break;
  }
  return found.method === "tools/call" && found.name ? found.name : null;
}

function plain(string: string): string {
  try {
    return JSON.parse(string);
  } catch {
    return "";
  }
}

const blanks = [0x20, 0x09, 0x0a, 0x0d];
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Finds the first byte of the JSON in a body in pieces, after blanks and a byte order mark. */
export class FirstByte {
  private position = 0;
  /** null until it is found. */
  private found: number | null = null;

  add(piece: Uint8Array): void {
    for (let n = 0; n < piece.length && this.found === null; n++) {
      const byte = piece[n];
      if (byte !== byteOrderMark[this.position++] && !blanks.includes(byte)) this.found = byte;
    }
  }

  get isThere(): boolean {
    return this.found !== null;
  }

  /** Whether the text begins as a JSON array: a batch of JSON-RPC messages. */
  get beginsBatch(): boolean {
    return this.found === 0x5b;
  }
}
