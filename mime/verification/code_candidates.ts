/** Something in a text that has the shape of a code. Indexes are of the text that was searched. */
export interface Candidate {
  code: string;
  kind: "numeric" | "alphanumeric";
  start: number;
  end: number;
  /**
   * How clear the shape alone is: `plain` is four to eight digits, or capitals and digits in groups; `loose` are shapes
   * of words and dates, which need the name of a code directly next to them. `long` is nine or ten digits, which need it
   * too: most are telephone numbers and references.
   */
  shape: "plain" | "loose" | "long" | "word";
}

/**
 * The most candidates of one text. A mail with a code has a few, and rating one takes up to 0.08 ms. Of 1,500 real
 * messages one in a hundred has more.
 */
const maxCandidates = 200;
const fewestDigits = 4;
const mostPlainDigits = 8;
const mostDigits = 10;
const mostCharacters = 24;
/** Characters of a code in groups with blanks. */
const mostGrouped = 16;

const tokens = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;
/** A letter or digit of a script with blanks between words: a token next to it is a part of a word. */
const wordCharacter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}_]/u;

interface Token {
  text: string;
  start: number;
  end: number;
}

/** The parts of `text` that have the shape of a code. `text` is {@link asciiText} without URLs and addresses. */
export function candidatesOf(text: string): Candidate[] {
  const found: Candidate[] = [];
  let run: Token[] = [];
  const flush = () => {
    if (run.length > 0) found.push(...candidatesOfRun(run, text));
    run = [];
  };
  for (const match of text.matchAll(tokens)) {
    if (found.length >= maxCandidates) return found;
    const token = { text: match[0], start: match.index, end: match.index + match[0].length };
    const last = run.at(-1);
    if (last && !(joins(text, last.end, token.start) && run.length < 16)) flush();
    if (/^[a-z]{2,}$/i.test(token.text)) {
      flush();
      found.push(...tokenCandidates(token, text));
    } else run.push(token);
  }
  flush();
  return found.slice(0, maxCandidates);
}

/**
 * True if only one to three blanks are between two tokens, or a dash between groups of three digits; a line end only
 * between single characters.
 */
function joins(text: string, end: number, start: number): boolean {
  const gap = text.slice(end, Math.min(start, end + 4));
  if (gap === " - " || gap === " – ") return isTriple(text, end - 3) && isTriple(text, start);
  if (gap.length > 3 || gap.trim() !== "") return false;
  const isSingle = (at: number) => !/[A-Za-z0-9-]/.test(text[at] ?? " ");
  return !gap.includes("\n") || (isSingle(end - 2) && isSingle(start + 1));
}

/** True if exactly three digits stand at `at`. */
const isTriple = (text: string, at: number): boolean =>
  /^\d{3}$/.test(text.slice(at, at + 3)) && !/[A-Za-z0-9-]/.test(text[at - 1] ?? " ") &&
  !/[A-Za-z0-9-]/.test(text[at + 3] ?? " ");

/** Candidates of tokens with blanks between them. */
function candidatesOfRun(run: Token[], text: string): Candidate[] {
  if (run.length === 1) return tokenCandidates(run[0], text);
  const found: Candidate[] = [];
  for (let from = 0; from < run.length;) {
    const isNumber = /^\d+$/.test(run[from].text);
    let to = from + 1;
    while (to < run.length && /^\d+$/.test(run[to].text) === isNumber) to++;
    const numbers = run.slice(from, to);
    const digits = numbers.reduce((sum, token) => sum + token.text.length, 0);
    // More digits are a phone number, an account or a date, unless they are in few groups of one length.
    const isEven = digits <= mostDigits && numbers.length <= 3 &&
      numbers.every(({ text }) => text.length === numbers[0].text.length);
    const isLong = isNumber && numbers.length > 1 && digits > mostPlainDigits && !isEven &&
      numbers.every((token) => token.text.length <= 5);
    if (isLong) run.splice(from, to - from);
    else from = to;
  }
  for (let from = 0; from < run.length;) {
    const { length } = run[from].text;
    let to = from + 1;
    while (to < run.length && run[to].text.length === length) to++;
    const group = run.slice(from, to);
    const joined = joinedCandidate(group, text);
    found.push(...(joined ? [joined] : group.flatMap((token) => tokenCandidates(token, text))));
    from = to;
  }
  return found;
}

/** "482 913", "4 8 2 9 1 3", "X7K 9QP": tokens of one length, or null. */
function joinedCandidate(group: Token[], text: string): Candidate | null {
  const whole: Token = {
    text: group.map((token) => token.text).join(""),
    start: group[0].start,
    end: group.at(-1)!.end,
  };
  const { length } = group[0].text;
  const digits = /^\d+$/.test(whole.text);
  if (group.length < 2 || length > 5 || !stands(text, whole)) return null;
  if (whole.text.length < fewestDigits || whole.text.length > mostGrouped) return null;
  const mixed = length > 2 && group.every((token) => /^(?=.*\d)[A-Z0-9]+$/.test(token.text));
  const singles = length === 1 && /^(?=.*\d)[A-Za-z0-9]+$/.test(whole.text);
  if (!(digits || mixed || singles)) return null;
  if (!mixed && whole.text.length > mostDigits) return null;
  const isLoose = (group.length >= 4 && length === 2) || (singles && /[a-z]/.test(whole.text));
  return {
    ...placeOf(whole),
    code: whole.text,
    kind: digits ? "numeric" : "alphanumeric",
    shape: isLoose ? "loose" : digits ? shapeOfDigits(whole.text) : "plain",
  };
}

const shapeOfDigits = (code: string) => code.length > mostPlainDigits ? "long" : "plain";

const placeOf = ({ start, end }: Token) => ({ start, end });

function tokenCandidates(token: Token, text: string): Candidate[] {
  if (!stands(text, token)) return [];
  const { text: written } = token;
  const place = placeOf(token);
  const prefixed = /^(?:[A-Z]|FB|IG|WA)-(\d{4,8})$/.exec(written);
  if (prefixed) return [{ ...place, code: prefixed[1], kind: "numeric", shape: "plain" }];
  if (/^\d+(?:-\d+)*$/.test(written)) return numericToken(written, place);
  return alphanumericToken(written, place);
}

function numericToken(written: string, place: { start: number; end: number }): Candidate[] {
  const groups = written.split("-");
  const code = groups.join("");
  if (code.length < fewestDigits || code.length > mostDigits) return [];
  const equal = groups.every((group) => group.length === groups[0].length);
  const single = groups[0].length === 1;
  if (groups.length > 1 && !equal) {
    return groups.length === 2 && code.length >= 5
      ? [{ ...place, code, kind: "numeric", shape: "loose" }]
      : [];
  }
  const dateLike = groups.length === 3 && groups[0].length === 2;
  const years = groups.length === 2 && groups.every((group) => /^(?:19|20)\d\d$/.test(group));
  if (years) return [];
  const isYear = /^(?:19|20)\d\d$/.test(code);
  const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(code);
  const shape = (dateLike && !single) || isYear || isDate ? "loose" : shapeOfDigits(code);
  return [{ ...place, code, kind: "numeric", shape }];
}

function alphanumericToken(written: string, place: { start: number; end: number }): Candidate[] {
  const bare = written.replaceAll("-", "");
  if (bare.length < fewestDigits || written.length > mostCharacters) return [];
  const kind = "alphanumeric" as const;
  const hasDigit = /\d/.test(bare);
  const hasLetter = /[a-z]/i.test(bare);
  if (!hasLetter) return [];
  if (!hasDigit) {
    // Capitals by themselves ("QKXVBN", "XQT-TML"), or small words with hyphens ("fixed-cool-lamp").
    const isWord = /^[A-Z]{4,10}$|^[A-Z]{3,10}-[A-Z]{3,5}$|^[a-z]{3,8}(?:-[a-z]{3,8}){2,4}$/.test(
      written,
    );
    return isWord ? [{ ...place, code: written, kind, shape: "word" }] : [];
  }
  const capitals = /^[A-Z0-9-]+$/.test(written);
  const groups = written.split("-");
  const even = groups.every((group) => group.length >= 2 && group.length <= 6);
  const numbered = groups.length > 1 && /^[A-Z]{2,}$/.test(groups[0]) &&
    groups.slice(1).every((group) => /^\d+$/.test(group));
  // A number with a unit, such as "1080p" or "500MB", is a measure. "80412X" counts only if a word such as "code" is next to it.
  const measure = /^\d+(?:st|nd|rd|th|h|am|pm|min|px|mb|gb|kb|k|m|x|s|d|w|y)$/i.test(bare);
  if (measure && !/^\d{4,}[A-Z]$/.test(bare)) return [];
  const shape = capitals && even && !numbered && !measure ? "plain" : "loose";
  return [{ ...place, code: written, kind, shape }];
}

const currencies = "$€£¥₹₽₺₩₴₫₪%";

/** "204876,5分钟内有效": a comma without a blank before the minutes. */
const isTime = /^,\d{1,2} ?(?:分|秒|小时|小時|時間|시간)/;

/** True if the characters on both sides allow a code: the token is not inside a word, an amount, a time or a path. */
function stands(text: string, { start, end }: Token): boolean {
  const before = text[start - 1] ?? " ";
  const after = text[end] ?? " ";
  const second = text[end + 1] ?? " ";
  if (wordCharacter.test(before) || wordCharacter.test(after)) return false;
  if (currencies.includes(before) || currencies.includes(after)) return false;
  // "*4471" are the last digits of a card or an account.
  if ("*•".includes(before) && after !== before) return false;
  if (before === " " && currencies.includes(text[start - 2] ?? " ")) return false;
  if ("+/=&@\\#~".includes(before) && before !== " ") return false;
  if (before === "-" && text[start - 2] !== " " && text[start - 2] !== "-") return false;
  if (/[.,:']/.test(before) && /\d/.test(text[start - 2] ?? " ")) return false;
  if (/[.,:']/.test(after) && /\d/.test(second) && !isTime.test(text.slice(end, end + 8))) {
    return false;
  }
  if ("/=@\\".includes(after)) return false;
  return !(after === "-" && /[\p{L}\d]/u.test(second));
}
