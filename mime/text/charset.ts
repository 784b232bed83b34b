import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { enoughEvidence, guessedCharset, isRatherUtf8 } from "./guessed_charset.ts";
import { base64Values } from "./hex.ts";

/**
 * Decodes `bytes` by the charset label of a mail.
 *
 * Knows the labels of the WHATWG Encoding Standard, other names that mail uses for them (`cp932`, `x-cp1252`), and six
 * charsets that `TextDecoder` leaves out: UTF-7 (RFC 2152), ISO-2022-KR (RFC 1557), HZ (RFC 1843) and the DOS code
 * pages 437, 850 and 858. Without a label, or with an unknown one or `us-ascii`, the bytes are ISO-2022-JP if they
 * switch to its kanji, else UTF-8 if they are valid UTF-8, else in the charset in which they are likeliest words, else
 * windows-1252, which has a character for every byte.
 *
 * A label may be wrong: programs that convert a text often forget its label, and libraries have ISO-8859-1 as their
 * default. Bytes that are declared UTF-8 and mostly are none count as undeclared. Bytes in another charset are UTF-8 if
 * they are valid UTF-8 and hardly the declared charset. Bytes that are declared ISO-8859-1 or windows-1252 are in
 * another charset if they are much likelier words in it. Never throws; bytes that do not decode become U+FFFD.
 */
export function decodeCharset(bytes: Uint8Array, label: string | null): string {
  const name = plainName(label ?? "");
  const declared = ownDecoders.get(name) ?? declaredDecoder(label ?? "", name);
  if (declared === null) return decodeUndeclared(bytes);
  if (typeof declared === "function") {
    return isWronglyDeclared(bytes, declared) ? utf8.decode(bytes) : declared(bytes);
  }
  if (declared.encoding === "utf-8") return decodeUtf8(bytes);
  if (declared.encoding === "windows-1252") return decodeLatin(bytes);
  const decode = (some: Uint8Array) => declared.decode(some);
  const isOther = !declared.encoding.startsWith("utf-16") &&
    isWronglyDeclared(bytes, decode);
  return isOther ? utf8.decode(bytes) : declared.decode(bytes);
}

function declaredDecoder(label: string, name: string): TextDecoder | null {
  return undeclared.has(name) ? null : standardDecoder(label, name);
}

function decodeUndeclared(bytes: Uint8Array): string {
  if (switchesToKanji(bytes)) return iso2022jp.decode(bytes);
  return isUtf8Text(bytes) ? utf8.decode(bytes) : decodeGuessed(bytes, enoughEvidence.undeclared);
}

function decodeGuessed(bytes: Uint8Array, evidence: number): string {
  const text = windows1252.decode(bytes);
  if (!hardlyWestern.test(text)) return text;
  const charset = guessedCharset(bytes, evidence);
  return charset === null ? text : standardDecoder(charset, plainName(charset))!.decode(bytes);
}

/** Neighbours beyond ASCII, or one that is no usual letter or sign of a western language. */
const hardlyWestern =
  // deno-lint-ignore no-control-regex -- the range is all of ASCII
  /[^\x00-\x7f]{2}|[^\x00-\x7fäöüßÄÖÜéèàùâêîôûçëïÉÈÀÇñíóúáÁÍÓÚÑ¿¡“”‘’–—…•«»€£§°·®©™\xa0]/;

function isWronglyDeclared(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): boolean {
  return !isAscii(bytes) && isUtf8Text(bytes) && isRatherUtf8(bytes, decode);
}

/** Whether bytes are UTF-8. Of a text that was cut, the last character may lack bytes. */
function isUtf8Text(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  let end = bytes.length - 1;
  while (end > bytes.length - 3 && (bytes[end] & 0xc0) === 0x80) end--;
  const whole = bytes.subarray(0, Math.max(0, end));
  return bytes[end] >= 0xc0 && !isAscii(whole) && isUtf8(whole);
}

function decodeLatin(bytes: Uint8Array): string {
  // Most Latin text is ASCII, which the decoder of UTF-8 reads three times as fast.
  if (isAscii(bytes)) return (switchesToKanji(bytes) ? iso2022jp : utf8).decode(bytes);
  if (isUtf8Text(bytes)) {
    const text = utf8.decode(bytes);
    if (hardlyLatin.test(text) || isRatherUtf8(bytes, latinText)) return text;
  }
  return decodeGuessed(bytes, enoughEvidence.declared);
}

const latinText = (bytes: Uint8Array) => windows1252.decode(bytes);

/**
 * Characters whose UTF-8 hardly stands in text of windows-1252. That of others may: `JOSÉ’S` has the bytes of U+0252,
 * `MALMÖ’S` those of U+0592.
 */
const hardlyLatin = /[\u00a0-\u00ff\u0800-\ufffc]|[\u0370-\u07ff]{2}/;

function decodeUtf8(bytes: Uint8Array): string {
  const text = utf8.decode(bytes);
  // A U+FFFD that is in the text itself is valid UTF-8.
  if (!text.includes("\ufffd") || isUtf8(bytes)) return text;
  const front = text.slice(0, comparedChars);
  const wrong = front.match(/\ufffd/g)?.length ?? 0;
  // deno-lint-ignore no-control-regex -- the range is all of ASCII
  const right = front.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0;
  return right >= wrong && right > 0 || wrong === 0
    ? text
    : decodeGuessed(bytes, enoughEvidence.undeclared);
}

/** In so many characters of a text that is declared UTF-8, those that decode and those that do not are counted. */
const comparedChars = 100_000;

/** True if `bytes` have `ESC $ B` or `ESC $ @`, with which the kanji of ISO-2022-JP begin (RFC 1468). */
function switchesToKanji(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (standsAt("$B", bytes, at + 1) || standsAt("$@", bytes, at + 1)) return true;
  }
  return false;
}

/** Whether a label declares a charset, and not only that there is one. */
export function declaresCharset(label: string): boolean {
  const name = plainName(label);
  return ownDecoders.has(name) || !undeclared.has(name) && standardDecoder(label, name) !== null;
}

/**
 * The charset of texts that nobody labelled one by one, such as header fields: `label`, the one of the whole message,
 * unless that says little, and together they are likeliest words in another charset.
 */
export function charsetOfTexts(texts: readonly Uint8Array[], label: string | null): string | null {
  const name = plainName(label ?? "");
  if (!undeclared.has(name) && !latin.has(name) && name !== "utf8") return label;
  const other = texts.filter((text) => !isUtf8(text));
  if (other.length === 0) return label;
  const joined = Buffer.concat(other.flatMap((text) => [text, lineEnd]));
  return guessedCharset(joined, enoughEvidence.undeclared) ?? label;
}

const lineEnd = Buffer.from("\n");

/** Whether only {@link decodeCharset} reads a label rightly; `TextDecoder` alone is not enough. */
export function isOwnCharset(label: string): boolean {
  const name = plainName(label);
  return ownDecoders.has(name) || undeclared.has(name) || aliases.has(name) || latin.has(name);
}

function plainName(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/g, "");
}

const utf8 = new TextDecoder();
const iso2022jp = new TextDecoder("iso-2022-jp");
const windows1252 = new TextDecoder("windows-1252");
const gbk = new TextDecoder("gbk");
const eucKr = new TextDecoder("euc-kr");

/** Labels that declare no charset beyond ASCII: the bytes decide. */
const undeclared = new Set(
  ["", ..."usascii ascii ansix341968 unknown8bit unknown xunknown default 8bit binary".split(" ")],
);

/** The usual names of windows-1252, in which {@link decodeLatin} may find UTF-8. */
const latin = new Set(["iso88591", "latin1", "windows1252", "cp1252"]);

/** Names that mail uses, with the names of the standard for them. */
const aliases = new Map(Object.entries({
  ...{ cp932: "shift_jis", mskanji: "shift_jis", cp936: "gbk", ms936: "gbk", cp949: "euc-kr" },
  ...{ cp950: "big5", cp65001: "utf-8", cp20127: "windows-1252", cp28591: "windows-1252" },
  ...{ utf8mb4: "utf-8", iso2022jpms: "iso-2022-jp", latin9: "iso-8859-15" },
}));

/** Decoders by name. Unknown names are kept as null, because asking the platform takes 60 µs. */
const known = new Map<string, TextDecoder | null>();

function standardDecoder(label: string, name: string): TextDecoder | null {
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  const windows = /^(?:x|cp|win|windows|xcp)?(125[0-8]|874)$/.exec(name);
  const iso = /^(?:x|iso|xiso)?8859(1[0-6]|[1-9])$/.exec(name);
  const candidates = [
    label.trim(),
    aliases.get(name),
    windows ? `windows-${windows[1]}` : undefined,
    iso ? `iso-8859-${iso[1]}` : undefined,
    name,
    name.replace(/^x/, ""),
  ];
  // Each costs 50 µs if it is none.
  for (const candidate of new Set(candidates)) {
    if (!candidate || candidate.length > 40) continue;
    try {
      return remember(name, new TextDecoder(candidate));
    } catch {
      // This spelling is no label of the standard; the next one may be.
    }
  }
  return remember(name, null);
}

/** Names come from senders, so at most 200 are kept. */
function remember(name: string, decoder: TextDecoder | null): TextDecoder | null {
  if (known.size < 200 && name.length <= 40) known.set(name, decoder);
  return decoder;
}

/** RFC 2152: `+` begins a run of modified base64 over UTF-16BE, the first other character ends it; `+-` is `+`. */
function decodeUtf7(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at++];
    const first = base64Values[bytes[at]] ?? none;
    if (byte !== plus || first === none) {
      units[length++] = byte;
      if (byte === plus && bytes[at] === minus) at++;
      continue;
    }
    let bits = 0;
    let held = 0;
    for (let sextet = first; sextet !== none; sextet = base64Values[bytes[at]] ?? none) {
      bits = (bits << 6 | sextet) & 0x3fffff;
      held += 6;
      at++;
      if (held < 16) continue;
      held -= 16;
      units[length++] = bits >> held & 0xffff;
    }
    if (bytes[at] === minus) at++;
  }
  return utf16.decode(units.subarray(0, length));
}

const [plus, minus] = [0x2b, 0x2d];
const none = -1;
const utf16 = new TextDecoder("utf-16le");

/**
 * Shift states of ISO-2022-KR (SO and SI) and HZ (`~{` and `~}`): between them bit 8 of each byte is
 * off. Decoded in one piece, because a call for each shift took 20 times as long.
 */
function decodeShifted(bytes: Uint8Array, open: string, close: string, decoder: TextDecoder) {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (standsAt(open, bytes, at) || (shifted && standsAt(close, bytes, at))) {
      shifted = standsAt(open, bytes, at);
      at += open.length - 1;
    } else out[length++] = shifted && bytes[at] > 0x20 ? bytes[at] | 0x80 : bytes[at];
  }
  return decoder.decode(out.subarray(0, length));
}

function standsAt(mark: string, bytes: Uint8Array, at: number): boolean {
  return bytes[at] === mark.charCodeAt(0) &&
    (mark.length === 1 || bytes[at + 1] === mark.charCodeAt(1));
}

function decodeCodePage(bytes: Uint8Array, upper: string): string {
  let out = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    const piece = bytes.subarray(at, at + 8192);
    out += Array.from(
      piece,
      (byte) => byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80],
    ).join("");
  }
  return out;
}

/** Upper halves, from the vendor tables of the Unicode Consortium (MICSFT/PC). */
const cp437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
const cp850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
  "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
/** Code page 850 with the euro sign in the place of the dotless i. */
const cp858 = cp850.slice(0, 0x55) + "€" + cp850.slice(0x56);

const codePages: [string, string][] = [["437", cp437], ["850", cp850], ["858", cp858]];

const ownDecoders = new Map<string, (bytes: Uint8Array) => string>([
  ["utf7", decodeUtf7],
  ["unicode11utf7", decodeUtf7],
  ["csunicode11utf7", decodeUtf7],
  ["iso2022kr", (bytes) => decodeShifted(bytes, "\x0e", "\x0f", eucKr).replace("\x1b$)C", "")],
  ["hzgb2312", (bytes) => decodeShifted(bytes, "~{", "~}", gbk).replaceAll("~~", "~")],
  ...codePages.flatMap(([number, upper]) =>
    ["cp", "ibm", "xcp", "pc", "cspc", ""].map((prefix): [string, (b: Uint8Array) => string] => [
      prefix + number,
      (bytes) => decodeCodePage(bytes, upper),
    ])
  ),
]);
