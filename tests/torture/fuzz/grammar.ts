import type { Growing } from "../../growth.ts";

/**
 * A grammar as text: each rule has alternatives, in which `{rule}` refers to another rule. The rule `frame` is the text
 * that may come first.
 */
export type Grammar = Record<string, readonly string[]> & { frame: readonly string[] };

/** Largest depth of nested rules; deeper ones are left out. */
const deepest = 6;

/** Makes a text of a rule. */
export function expand(grammar: Grammar, rule: string, random: () => number, depth = 0): string {
  if (depth > deepest) return "";
  return pick(grammar[rule], random).replace(
    /\{(\w+)\}/g,
    (whole, name: string) =>
      Object.hasOwn(grammar, name) ? expand(grammar, name, random, depth + 1) : whole,
  );
}

/** Makes a frame, a piece of any rules to repeat, and an end; some of them broken. */
export function growingText(grammar: Grammar, random: () => number): Growing {
  const rules = Object.keys(grammar);
  const any = () => expand(grammar, pick(rules, random), random);
  let piece = Array.from({ length: 1 + Math.floor(random() * 3) }, any).join("");
  if (random() < 0.4) piece = mutated(piece, random);
  return {
    before: expand(grammar, "frame", random) + (random() < 0.5 ? any() : ""),
    piece: piece.slice(0, longestPiece) || pick(awkward, random),
    after: random() < 0.5 ? any() : "",
  };
}

/** A longer piece is not repeated often enough to show how the time grows. */
const longestPiece = 200;

/** Returns the text with something removed, doubled, moved or inserted. */
export function mutated(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const end = at + 1 + Math.floor(random() ** 3 * (text.length - at));
  const [front, middle, rest] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  switch (Math.floor(random() * 5)) {
    case 0:
      return front + rest;
    case 1:
      return front + middle + middle + rest;
    case 2:
      return rest + middle + front;
    case 3:
      return front + pick(awkward, random) + rest;
    default:
      return front + pick(awkward, random) + middle + rest;
  }
}

/** Texts that have broken parsers before. */
const awkward = [
  ...["\0", "\r", "\n", "\r\n", "\r\n\r\n", "\t", " ", "        ", "\u00a0", "\u2028", "\ufeff"],
  ...[
    "\ud800",
    "\udc00",
    "\u0130",
    "\u{1F468}",
    "\u0301",
    "\u00ff",
    "\u0080",
    "\x1b",
    "\x0e",
    "~{",
  ],
  ...["(", ")", "<", ">", '"', "'", "\\", ",", ";", ":", "=", "=?", "?=", "--", "@", ".", "%", "&"],
  ...["&#", "</", "<!--", "-->", "]]>", "+", "*0*", "-1", "1e999", "__proto__", "constructor"],
];

export function pick<T>(all: readonly T[], random: () => number): T {
  return all[Math.floor(random() * all.length)];
}
