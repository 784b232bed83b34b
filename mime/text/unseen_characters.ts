/**
 * Characters that nobody sees and that carry text: Unicode tags, and variation selectors beyond the first, which can
 * spell bytes. The flags of regions are made of tags too (UTS 51, annex C): those that fonts have stay.
 */
const carriers = /[\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/u;
const flagOrCarriers =
  /(\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})|[\u{E0000}-\u{E007F}]+|([\uFE00-\uFE0F]?)[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+/gu;

/** One of them alone is a way to write a sign. */
const isSelector = /^[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]$/u;

/** Turns of the direction: an override shows letters in another order than they are read by a program. */
const override = /[\u202d\u202e]/g;
const embedding = /[\u202a-\u202c\u2066-\u2069]/g;

/** A text without characters that carry text unseen. Linear time. */
export function withoutUnseen(text: string): string {
  return replaceUnseen(text, "");
}

function replaceUnseen(text: string, mark: string): string {
  if (!carriers.test(text)) return text;
  return text.replace(
    flagOrCarriers,
    (all, flag: string | undefined, first = "") =>
      flag ?? (isSelector.test(all) ? all : first + mark),
  );
}

/** What such characters of a text spell, with the characters below it; "" if it has none. Linear time. */
export function unseenIn(text: string): string {
  if (!carriers.test(text)) return "";
  const found = [...text.matchAll(flagOrCarriers)].filter(([all, flag]) =>
    flag === undefined && !isSelector.test(all)
  ).map(([all, , first]) => first === undefined ? all : all.slice(first.length));
  return found.length === 0 ? "" : `${found.map(spelled).join("\n")}\n${found.join("\n")}`;
}

/** Tags are ASCII, of selectors each is a byte. */
function spelled(characters: string): string {
  const codes = [...characters].map((one) => one.codePointAt(0)!);
  if (codes[0] >= 0xe0000 && codes[0] <= 0xe007f) {
    return codes.filter((code) => code >= 0xe0020 && code < 0xe007f)
      .map((code) => String.fromCharCode(code - 0xe0000)).join("");
  }
  const bytes = codes.map((code) => code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16);
  return new TextDecoder().decode(new Uint8Array(bytes)).replaceAll("\0", "");
}

/**
 * A line as a person may read it: what turns the order of letters and what carries text unseen is replaced by a mark,
 * such as `[U+202E]`; other turns of the direction are left out.
 */
export function marked(text: string): string {
  return markedText(text).replace(embedding, "");
}

/** The same for a text of several lines, whose directions stay. */
export function markedText(text: string): string {
  return replaceUnseen(text, "[hidden text]").replace(override, markOf);
}

/** A line in which nothing is left out: other turns of the direction have a mark too. */
export function markedLine(text: string): string {
  return markedText(text).replace(embedding, markOf);
}

function markOf(one: string): string {
  return `[U+${one.charCodeAt(0).toString(16).toUpperCase()}]`;
}
