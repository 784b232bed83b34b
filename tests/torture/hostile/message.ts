/**
 * A kind of hostile mail: a message of any length, made of a beginning, repeated pieces and an end. LF stands
 * for CRLF, and `{mark}` for a word that no other message has.
 */
export interface HostileKind {
  name: string;
  before: string;
  piece: string | ((n: number, random: () => number) => string);
  after?: string | ((count: number) => string);
  /** The largest size at which a message is still of this kind. */
  mostBytes?: number;
  /** Each character is one byte: for text that is not UTF-8. */
  latin1?: true;
  /** LF and CR stand for themselves. */
  keepsLineEnds?: true;
  /** Nothing is added before `before`: for messages without a header. */
  bare?: true;
  /** The envelope's sender; empty for a delivery report. */
  reversePath?: "";
  /** The planted parse worker hangs at it: above 32 KiB it must be listed with a `problem`. */
  hangs?: true;
}

/** A message of a kind. */
export interface HostileMessage {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether a search for its mark must find it: the mark is in the subject or the text. */
  marked: boolean;
}

/** Makes a message of about `size` bytes (within one piece); the same for the same seed. */
export function hostileMessage(
  kind: HostileKind,
  size: number,
  mark: string,
  random: () => number,
): HostileMessage {
  const before = (kind.bare ? "" : missingFields(kind.before)) + kind.before;
  const lines = (text: string) => kind.keepsLineEnds ? text : text.replaceAll("\n", "\r\n");
  const bytesOf = (text: string) =>
    kind.latin1 ? latin1(lines(text)) : new TextEncoder().encode(lines(text));
  const start = bytesOf(before.replaceAll("{mark}", mark));
  const pieces: Uint8Array[] = [start];
  let length = start.length, count = 0;
  for (const most = Math.min(size, kind.mostBytes ?? size); length < most;) {
    const batch: string[] = [];
    // Pieces are a few bytes each: encoded a few thousand at a time.
    for (let chars = 0; chars < 32_768 && length + chars < most; count++) {
      const piece = typeof kind.piece === "string" ? kind.piece : kind.piece(count, random);
      batch.push(piece);
      chars += piece.length;
    }
    const bytes = bytesOf(batch.join(""));
    pieces.push(bytes);
    length += bytes.length;
  }
  const end = typeof kind.after === "function" ? kind.after(count) : kind.after ?? "";
  pieces.push(bytesOf(end));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return { bytes: whole, marked: before.includes("{mark}") };
}

/** The usual header fields that the kind does not have itself. */
function missingFields(before: string): string {
  const own = before.split("\n\n", 1)[0];
  return Object.entries(ordinaryFields).map(([name, value]) =>
    new RegExp(`^${name}:`, "im").test(own) ? "" : `${name}: ${value}\n`
  ).join("");
}

const ordinaryFields = {
  "Message-ID": "<{mark}@hostile.example>",
  "Subject": "{mark}",
  "From": "Mallory <mallory@hostile.example>",
  "To": "agent@agents.test",
  "Date": "Mon, 3 Aug 2026 10:00:00 +0000",
  "MIME-Version": "1.0",
};

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
