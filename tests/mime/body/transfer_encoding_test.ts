import assert from "node:assert/strict";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { decodedPieces, decodeTransfer } from "../../../mime/body/transfer_encoding.ts";
import { message } from "../fixture.ts";

/** Two pieces of base64 and a part of a third one. */
const bytes = new Uint8Array(450_000);
for (let n = 0; n < bytes.length; n++) bytes[n] = Math.imul(n, 2_654_435_761) >>> 24;
const lines = bytes.toBase64().replace(/.{76}/g, "$&\r\n");

const encoded = (text: string) => new TextEncoder().encode(text);
const decode = (text: string, maxBytes?: number) =>
  decodeTransfer(encoded(text), "base64", maxBytes);

/** Byte after byte, as RFC 2045 section 6.8 describes it; each `=` ends a unit. */
function plainly(text: string): Uint8Array {
  const units = text.replace(/[^A-Za-z0-9+/=]/g, "").split("=");
  return new Uint8Array(
    units.flatMap((unit) => [...atob(unit.slice(0, unit.length % 4 === 1 ? -1 : undefined))])
      .map((each) => each.charCodeAt(0)),
  );
}

Deno.test("long base64 is decoded in pieces, wherever they end, and in a buffer of its own", () => {
  for (const shift of ["", "\n", "\r\n", "   "]) {
    const decoded = decode(shift + lines);
    assert.deepEqual(decoded, bytes);
    assert.equal(decoded.byteLength, decoded.buffer.byteLength);
  }
  let size = 0;
  for (const piece of decodedPieces(encoded(lines), "base64")) {
    assert.ok(piece.length <= 200_000);
    assert.deepEqual(piece, bytes.subarray(size, size + piece.length));
    size += piece.length;
  }
  assert.equal(size, bytes.length);
});

Deno.test("malformed base64 is read as far as possible, in whichever piece the fault is", () => {
  const whole = bytes.subarray(0, 449_999).toBase64();
  assert.ok(whole.endsWith("="));
  const blanks = " ".repeat(300_000);
  const faults: Record<string, string> = {
    "a foreign character at the start": `*${whole}`,
    "a foreign character in the second piece": `${whole.slice(0, 400_001)}!${whole.slice(400_001)}`,
    "padding inside": `${whole.slice(0, 300_002)}==${whole.slice(300_004)}`,
    "padding, and more after it": whole + whole,
    "padding at the end of a piece": `${whole.slice(0, 262_142)}==${whole}`,
    "half of the padding in the next piece": `${whole.slice(0, 262_142)}= =${whole}`,
    "a last group of one character": `${whole.slice(0, 400_001)}`,
    "a last group of three": `${whole.slice(0, 400_003)}`,
    "a piece of white space": `${whole.slice(0, 1_001)}${blanks}${whole.slice(1_001)}`,
    "white space at the start": blanks + whole,
    "white space alone": blanks,
    "nothing": "",
  };
  for (const [fault, text] of Object.entries(faults)) {
    assert.deepEqual(decode(text), plainly(text), fault);
  }
});

Deno.test("base64 ends at the footer that a mailing list has put below it, in whichever piece that is", () => {
  const footers = ["--\nleave the list", "____\nlist at https://list.example", "-----\r\nAAAA\r\n"];
  for (const footer of footers) {
    assert.deepEqual(decode(`aGVsbG8=\r\n${footer}`), encoded("hello"), footer);
    assert.deepEqual(decode(`aGVsbG8h\n\n${footer}\nAAAA`), encoded("hello!"), footer);
    assert.deepEqual(decode(`${lines}\r\n${footer}${"\nAAAA".repeat(100_000)}`), bytes, footer);
  }
  assert.deepEqual(decode("aGVs-bG8_h"), encoded("hello!"));
});

Deno.test("the beginning of any content is decoded without the rest", () => {
  for (const size of [0, 1, 1_000, 196_608, 196_609, 300_000, 1e9]) {
    assert.deepEqual(decode(lines, size), bytes.subarray(0, size));
    assert.deepEqual(decode("AAECAw==", size), new Uint8Array([0, 1, 2, 3]).subarray(0, size));
    assert.deepEqual(decodeTransfer(bytes, "8bit", size), bytes.subarray(0, size));
  }
  const quoted = encoded("=41b=\n=43 \nd");
  const plain = encoded("AbC\nd");
  for (const size of [0, 1, 3, 100]) {
    assert.deepEqual(decodeTransfer(quoted, "quoted-printable", size), plain.subarray(0, size));
  }
});

Deno.test("uuencode is decoded between begin and end, with and without the blanks at the ends of its lines", () => {
  const written =
    "see this\r\nbegin 644 my file.bin\r\n%:&5L;&\\ \r\n#  $ \r\n`\r\nend\r\n%:&5L;&\\ \r\n";
  const expected = new Uint8Array([...encoded("hello"), 0, 1, 0]);
  for (const encoding of ["x-uuencode", "uuencode", "x-uue"]) {
    assert.deepEqual(decodeTransfer(encoded(written), encoding), expected);
    assert.deepEqual(decodeTransfer(encoded(written.replaceAll(" \r", "\r")), encoding), expected);
    assert.deepEqual(decodeTransfer(encoded(written), encoding, 3), encoded("hel"));
  }
});

Deno.test("an escape of quoted-printable that the end cuts off stays as it is", () => {
  const decoded = (text: string) =>
    new TextDecoder().decode(
      decodeTransfer(new TextEncoder().encode(text), "quoted-printable"),
    );
  for (const text of ["a=4", "=4", "=4x", "=x4"]) assert.equal(decoded(text), text);
  assert.equal(decoded("=41=4"), "A=4");
});

Deno.test("a text that is declared base64 and was never encoded is read as it is", () => {
  const textOf = (text: string) =>
    parseBody(message(`Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${text}`))
      .text;
  for (const plain of ["Hello, your code is 482913", "Your code is 482913\nbye", "<p>Hello</p>"]) {
    assert.equal(textOf(plain), plain);
  }
  const encoded = btoa("Hello, your code is 482913. ".repeat(5));
  const decoded = atob(encoded);
  for (
    const text of [
      encoded,
      `\n \n${encoded}`,
      encoded.replaceAll(/.{76}/g, "$& "),
      encoded.replaceAll(/.{76}/g, "$&\n"),
      `${encoded}\n\n_____\nA list, with its footer.`,
    ]
  ) assert.equal(textOf(text), decoded, text);
  assert.equal(textOf("SGVsbG8 =\n"), "Hello");
});
