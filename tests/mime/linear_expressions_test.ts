import assert from "node:assert/strict";
import * as subjects from "../../mime/headers/subject.ts";
import { endsInName, endsInWrote, wrotePatterns } from "../../mime/segments/announcement_words.ts";
import { openers, startsOpened } from "../../mime/segments/attribution.ts";
import { wantedWords } from "../../fulltext/analysis/best_passage.ts";
import { unspacedLetters } from "../../fulltext/analysis/exact_terms.ts";
import * as codeWords from "../../mime/verification/code_words.ts";
import * as linkWords from "../../mime/verification/link_words.ts";
import { NamedNouns, Words } from "../../mime/verification/words.ts";
import { expressionRows, type WorstText } from "./expression_rows.ts";
import { expressionsIn } from "./expressions.ts";
import { slowerThanLinear } from "../growth.ts";
import { verificationRows } from "./verification/expression_rows.ts";
import { nightly } from "../nightly.ts";

const folders = ["mime", "fulltext", "domain/mail", "domain/search", "domain/indexing"];
const found = new Set(
  expressionsIn(folders, ["domain/mailboxes/address.ts", "domain/uploads/file_fields.ts"]).map((
    { text },
  ) => text),
);
const nameOf = (text: string) => text.length <= 90 ? text : `${text.slice(0, 60)}...`;

const allRows = [...expressionRows, ...verificationRows];

/** Repeated in front of every expression: the characters that those of mail look for. */
const repeated = [
  ..." \t\n\r\"'()*+,-./01:;<=>?@[\\^_`aAxX&é漢",
  ..."\r\n|\r\n |=?|=?a?Q?|<a|a |a.|a@|a:|a-|1 |1.|--|re:|\u0301|\u200b|\u00ad".split("|"),
];

Deno.test("every expression that reads mail has a row of worst texts, and every row has its expression", () => {
  assert.deepEqual(
    allRows.map(([name]) => name).toSorted(),
    [...found].map(nameOf).toSorted(),
  );
});

nightly(
  "every expression that reads mail takes linear time on 1, 2 and 4 lengths of its worst text",
  () => {
    const rows = new Map(allRows);
    const slow = [...found].flatMap((text) => {
      const worst = [
        ...rows.get(nameOf(text)) ?? [],
        ...repeated.map((one): WorstText => ["", one]),
      ];
      return worst.flatMap(([before, unit]) => {
        const textOf = (length: number) =>
          `${before}${unit.repeat(Math.ceil(length / unit.length))}\u0001!`;
        return expressionsOf(text).flatMap((expression) => {
          const slower = slowerThanLinear(8_000, textOf, (input) => apply(expression, input));
          return slower ? [`${nameOf(text)} on ${JSON.stringify([before, unit])}: ${slower}`] : [];
        });
      });
    });
    assert.deepEqual(slow, []);
  },
);

/** Finds all matches, like `replace`, `split` and `matchAll`. */
function apply(expression: RegExp, input: string): void {
  expression.lastIndex = 0;
  expression.test(input);
  if (!/^\/\^/.test(String(expression))) input.split(expression);
}

/** The expression of a source text; of `Words`, the expression of every list. */
function expressionsOf(text: string): RegExp[] {
  const literal = /^\/(.*)\/([a-z]*)$/s.exec(text);
  if (literal) return [new RegExp(literal[1], literal[2])];
  if (text.includes("words.join")) return wordLists;
  if (text.includes("unspacedLetter")) return [unspacedLetters];
  if (text.includes("opener")) return [openers, startsOpened];
  if (text.includes("wrote")) return [wrotePatterns, endsInWrote, endsInName];
  if (text.includes("blanks")) {
    return Object.values(subjects).filter((one) => one instanceof RegExp);
  }
  return [wantedWords("abc 123 漢字", () => 1).beginnings!];
}

function listsIn(value: unknown): Words[] {
  if (value instanceof Words) return [value];
  if (value instanceof NamedNouns) return [value.words, value.nouns, value.names];
  return Array.isArray(value)
    ? value.flatMap((each) => Object.values(each).flatMap((one) => [one].flat().flatMap(listsIn)))
    : [];
}

const wordLists = Object.values({ ...codeWords, ...linkWords }).flatMap(listsIn).map((
  { expression },
) => expression);
