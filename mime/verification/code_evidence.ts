import { type Candidate, candidatesOf } from "./code_candidates.ts";
import {
  approvals,
  called,
  codeNames,
  countedThings,
  holders,
  isFor,
  isOver,
  joint,
  meetingTalk,
  money,
  namesOfOthers,
  nouns,
  otherNumbers,
  passwordSaid,
  payments,
  plainCode,
  said,
  secrecy,
  shopTalk,
  signInTalk,
  typeIn,
} from "./code_words.ts";

/** A text with its candidates, and the topics of the whole mail. */
export interface Surroundings {
  text: string;
  /** True if the mail, its subject or its first lines, speaks of signing in or verifying. */
  signIn: boolean;
  /** The subject and the first lines of the mail. */
  about: string;
  /** True if the mail names a code for signing in or verifying. */
  named: boolean;
  /** True if the subject is about an order, a booking or the like: then "code" alone means another code. */
  trade: boolean;
  /** True if "code" alone is the name of a code here: the sentence approves a payment with it. */
  approves?: boolean;
}

/** From this confidence on a line itself shows that a number is the code. */
const clear = 0.86;
/** Characters on both sides of a candidate that are read. */
const windowChars = 240;
/** Lines above a candidate that stands by itself, and below. */
const linesAbove = 3;

/**
 * How certain it is that somebody must type this candidate in, from 0 to 1, by the words around it. Reads a window of
 * fixed length.
 */
export function confidenceOf(candidate: Candidate, around: Surroundings): number {
  const { text } = around;
  const before = text.slice(Math.max(0, candidate.start - windowChars), candidate.start);
  const after = text.slice(candidate.end, candidate.end + windowChars);
  const lineBefore = before.slice(before.lastIndexOf("\n") + 1);
  const lineAfter = after.split("\n", 1)[0];
  const isAlone = isBare(lineBefore) && isBare(lineAfter);
  if (!isAlone && countedThings.test(lineAfter) && candidate.code.length < 6) return 0;
  if (isOver.test(lineAfter) || (!isAlone && money.test(lineAfter))) return 0;
  const near = { before, after, lineBefore, lineAfter, isAlone };
  const here = atHand(near, around);
  if (here === null) return 0;
  const confidence = candidate.shape === "word"
    ? confidenceOfWord(candidate.code, before, after, isAlone, here)
    : confidenceOfNumber(candidate, near, here);
  return confidence > 0 && meetingTalk.isIn(before + after) ? 0 : confidence;
}

/** The window around a candidate. */
interface Near {
  before: string;
  after: string;
  /** The parts of its line. */
  lineBefore: string;
  lineAfter: string;
  /** True if it is alone on its line. */
  isAlone: boolean;
}

/** What the words next to the candidate change; null if they name another number. */
function atHand(near: Near, around: Surroundings): Surroundings | null {
  const { before, after, lineBefore, lineAfter, isAlone } = near;
  // Most numbers stand in a line that names no code and asks for nothing.
  const speaks = isAlone || nouns.isIn(lineBefore) || nouns.isIn(lineAfter) ||
    typeIn.isIn(lineBefore);
  if (!speaks) return around;
  const isSecret = secrecy.isIn(before) || secrecy.isIn(after);
  if (isOfAnother(near, around.about)) return null;
  const approves = isApproval(near, isSecret);
  if (approves || isSecret) return { ...around, signIn: true, trade: false, approves };
  return isShop(lineAfter) ? { ...around, trade: true } : around;
}

/** "Enter code 482913 for a discount". */
const isShop = (lineAfter: string): boolean => shopTalk.isIn(lineAfter.split(sentenceEnd, 1)[0]);

/** How long a code is valid. */
const minutes = /\d{1,3} ?(?:min|sec|sek|мин|хв|сек|分|秒|분)/iu;

/** "Do not share this code": receipts warn of telling a PIN or a password. */
const isToldToNobody = (text: string): boolean =>
  text.split("\n").some((line) =>
    secrecy.isIn(line) && plainCode.isIn(line) && !/(?<!\p{L})pin(?!\p{L})/iu.test(line)
  );

/** "Authorization code" on the receipt of a card payment, "confirmation code" of a booking. */
function isOfAnother({ before, after, lineBefore, lineAfter }: Near, about: string): boolean {
  const label = isBare(lineBefore) ? before.trimEnd().split("\n").at(-1)! : lineBefore;
  return namesOfOthers.some(({ names, mail }) =>
    names.isIn(label.slice(-60)) && !minutes.test(lineAfter) && !typeIn.isIn(label) &&
    mail.every((words) => words.isIn(about))
  ) && !isToldToNobody(after);
}

/** "Use code 482913 to approve your payment"; "Password: 482913" beside a payment or the minutes that it is valid. */
function isApproval(
  { before, after, lineBefore, lineAfter, isAlone }: Near,
  isSecret: boolean,
): boolean {
  const line = isAlone ? before.trimEnd().split("\n").at(-1)! : `${lineBefore} ${lineAfter}`;
  if (shopTalk.isIn(line)) return false;
  if (passwordSaid.isIn(lineBefore)) {
    return payments.isIn(before + after) || minutes.test(after);
  }
  return payments.isIn(line) && (isSecret || approvals.isIn(line));
}

function confidenceOfNumber(
  candidate: Candidate,
  { before, after, lineBefore, lineAfter, isAlone }: Near,
  around: Surroundings,
): number {
  const beside = besideBefore(lineBefore, around);
  if (beside < 0) return 0;
  // A small word with a digit is a name ("utf8"), unless it "is your code".
  const behind = candidate.shape === "loose" && !called.isIn(lineAfter)
    ? 0
    : besideAfter(lineBefore, lineAfter, around);
  // "Your code is 482913 (order 55123)": the name before it is as clear as can be.
  if (behind < 0 && beside < clear) return 0;
  const scores = [beside, behind];
  // A label of its own line: "Code", then "482913 (valid for ten minutes)".
  if (isBare(lineBefore)) {
    scores.push(byLinesAround(before, after, isAlone, around, candidate.shape === "long"));
  }
  return Math.max(0, Math.max(...scores) - doubt(candidate, before, scores, isAlone));
}

/**
 * Capitals that spell no word, without vowels, as the codes that RFC 8628 (section 6.1) recommends for devices:
 * "WDJB-MJHT".
 */
const spellsNothing = /^(?:[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}|[B-DF-HJ-NP-TV-XZ]{5,8})$/;

/** Letters only: directly after the name of a code, at the end of the sentence, or alone below a name. */
function confidenceOfWord(
  code: string,
  before: string,
  after: string,
  isAlone: boolean,
  around: Surroundings,
): number {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isRandom = spellsNothing.test(code);
  const ends = /^["'”’*)\]]{0,2}\s?(?:[.,;!](?:\s|$)|$)/m.test(after);
  const least = isRandom ? 0.7 : 0.95;
  const isNamed = (isRandom || ends && said.isIn(line)) && besideBefore(line, around) >= least;
  const isBelow = isAlone && byLinesAround(before, after, isAlone, around) >= least;
  return isNamed || isBelow ? 0.75 : 0;
}

/** True if a part of a line has no words: blanks, quotes, punctuation. */
const isBare = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** The dot of a date ("vom 10.") and of an amount ("Rs. 4,500") ends no sentence. */
const sentenceEnd =
  /(?:[!?]|(?<![^\p{L}\p{N}]\d{1,2}|(?<!\p{L})(?:rs|no|nr|руб|грн|лв))\.)(?:\s|$)|[。！？।]/iu;

/** Below 0: the words name the number as something else. */
function besideBefore(line: string, around: Surroundings): number {
  const plain = Math.max(
    plainCode.lastEnd(line),
    around.approves ? passwordSaid.lastEnd(line) : -1,
  );
  const named = Math.max(codeNames.lastEnd(line), around.approves ? plain : -1);
  const other = otherNumbers.lastEnd(line);
  const nearest = Math.max(named, plain);
  // "The area code is 0207" names a code too.
  const isOther = other >= nearest || tailOfName.test(line.slice(other, nearest));
  if (other >= 0 && isOther) return afterOther(line, other, named);
  if (isHeld(line, nearest)) return -1;
  if (nearest < 0) return around.signIn && !around.trade && isAskedAt(line) ? 0.7 : 0;
  const gap = line.slice(nearest);
  if (sentenceEnd.test(gap)) return named >= 0 && gap.length <= 40 && around.signIn ? 0.6 : 0;
  const tight = joint.isIn(gap);
  const isSaid = gap.length <= 80 && said.isIn(line);
  if (named >= nearest) {
    if (tight) return 0.97;
    // "Codes explained: why 123456 is a bad one".
    return isSaid ? 0.86 : /[:：]/.test(gap) ? 0.4 : gap.length <= 40 ? 0.8 : 0.6;
  }
  if (shopTalk.isIn(line)) return 0;
  // "Code: 4829" is a label; "the PIN is 1234" may be talk, and "code == 1234" a program.
  const isLabel = /[:：]/.test(gap);
  const base = /[=,(]/.test(gap)
    ? 0.4
    : tight
    ? (isLabel ? 0.85 : isAskedFor(line.slice(0, plain)) ? 0.72 : 0.6)
    : isSaid && gap.length <= 40
    ? 0.63
    : 0.4;
  return isAboutSignIn(around) ? base : base - 0.4;
}

/** What the name of a code ends with after the name of another number: "area code is". */
const tailOfName = /^ (?:is|below|above)$/i;

/** "Account 48291377", "ID: 48291377": the number belongs to its holder, unless the sentence names a code before. */
function isHeld(line: string, nearest: number): boolean {
  const holder = holders.lastEnd(line);
  if (holder < 0 || holder < nearest) return false;
  const gap = line.slice(holder);
  const isNamed = nearest >= 0 && !sentenceEnd.test(line.slice(nearest));
  return /^[\s#*"'(]*$/.test(gap) || !isNamed && joint.isIn(gap);
}

/** "Please enter the following: 482913". */
const isAskedAt = (line: string): boolean => /[:：]\s*$/.test(line) && isAskedFor(line);

const isAboutSignIn = ({ signIn, trade }: Surroundings): boolean => signIn && !trade;

/** If something else is named last, the number belongs to it, unless a code is the subject of the sentence. */
function afterOther(line: string, other: number, named: number): number {
  const gap = line.slice(other);
  // "Dear customer, 482913 is your code": a salutation.
  if (/^\p{L}{0,4} ?[,،，、]/u.test(gap)) return 0;
  // "Your verification code for ticket booking is 482913".
  const isPurpose = named >= 0 && said.isIn(line) && isFor.test(line.slice(named)) &&
    !/(?:number|no\.?|nr\.?|code|id|#)$/i.test(line.slice(0, other));
  if (joint.isIn(gap) && !isPurpose) return -1;
  const sentence = named < 0 ? "" : line.slice(named).replace(/\d[.,]\d/g, "0");
  if (named >= 0 && !sentenceEnd.test(sentence) && said.isIn(line)) return 0.8;
  return gap.length <= 40 && !sentenceEnd.test(gap) ? -1 : 0;
}

function besideAfter(before: string, line: string, around: Surroundings): number {
  const sentence = line.slice(0, 110).split(sentenceEnd, 1)[0];
  const named = codeNames.firstStart(sentence);
  const plain = plainCode.firstStart(sentence);
  const other = otherNumbers.firstStart(sentence);
  const nearest = Math.min(named, plain);
  const isPaid = around.approves && payments.isIn(sentence);
  if (!isPaid && other < nearest && other <= 25) return -1;
  if (named <= nearest && named < 70) return 0.94;
  if (plain < 60 && isAboutSignIn(around) && called.isIn(line) && !shopTalk.isIn(line)) {
    return plain < 30 ? 0.86 : 0.7;
  }
  // "482913 kodunu girin": the noun directly behind.
  if (plain <= 1 && isAboutSignIn(around) && typeIn.isIn(sentence)) return 0.84;
  const isTopic = isPaid || signInTalk.isIn(sentence);
  if (isTopic && isAskedFor(before) && !shopTalk.isIn(line)) return 0.84;
  if (!around.named) return 0;
  // "482913을 입력하세요": the verb stands behind.
  const isAim = isTopic || typeIn.isIn(sentence.slice(0, 40));
  return isAim && (isBare(before) || isAskedFor(before)) ? 0.72 : 0;
}

/** "Enter 482913": a verb for typing shortly before the candidate. */
function isAskedFor(before: string): boolean {
  const typed = typeIn.lastEnd(before);
  return typed >= 0 && before.length - typed <= 30 && !sentenceEnd.test(before.slice(typed));
}

function byLinesAround(
  before: string,
  after: string,
  isAlone: boolean,
  around: Surroundings,
  isLong = false,
): number {
  const above = before.split("\n").slice(0, -1).filter((line) => !isBare(line)).slice(-linesAbove)
    .reverse();
  const below = after.split("\n").slice(1).filter((line) => !isBare(line)).slice(0, 2);
  const step = isAlone ? 0.06 : 0.12;
  for (const [n, line] of above.entries()) {
    // "94103 San Francisco" below the code that stands below its name.
    if (!isAlone && isNumber.test(line)) return 0;
    const plain = plainCode.lastEnd(line);
    const named = Math.max(codeNames.lastEnd(line), n === 0 && around.approves ? plain : -1);
    const other = Math.max(
      otherNumbers.lastEnd(line),
      line.length < 25 ? holders.lastEnd(line) : -1,
    );
    // "Your discount code:" names both; a comma ends a salutation.
    const isLabel = other >= Math.max(0, plain) && (named < 0 || named === other) &&
      isBare(line.slice(other)) && !/[,，]\s*$/.test(line);
    if (n === 0 && isLabel) return -1;
    const isPlain = plain >= 0 && isAboutSignIn(around) && !shopTalk.isIn(line);
    if ((named >= 0 || isPlain) && saysItsOwn(line, around)) return 0;
    if (named >= 0) {
      const rest = line.slice(named);
      // A telephone number or the like, below "we sent a verification code to".
      if (isLong && !joint.isIn(rest)) return 0;
      const isLast = rest.length <= 40 || /[:：]\s*$/.test(rest);
      return (isLast ? 0.95 : 0.84) - n * step;
    }
    if (isPlain && !isLong) return 0.84 - n * step;
  }
  if (!isAlone || isLong) return 0;
  if (below.some((line) => codeNames.isIn(line))) return 0.84;
  if (isAboutSignIn(around) && below.some((line) => plainCode.isIn(line))) return 0.76;
  if (around.named) return 0.72;
  // Below a line that asks the reader to type something in, or in a text about signing in.
  const near = [...above, ...below].join("\n");
  return around.signIn && signInTalk.isIn(near) ? 0.56 : 0;
}

/** A line of nothing but a number. */
const isNumber = /^[\s\d*-]{4,24}$/;

/** "Your code is 482913": the number on the next line is a postal code or the like. */
function saysItsOwn(line: string, around: Surroundings): boolean {
  return candidatesOf(line).slice(0, 3).some(({ shape, start, end }) => {
    if (shape !== "plain") return false;
    const [before, after] = [line.slice(0, start), line.slice(end)];
    return Math.max(besideBefore(before, around), besideAfter(before, after, around)) >= clear;
  });
}

/** How much the shape reduces the confidence. */
function doubt(candidate: Candidate, before: string, scores: number[], isAlone: boolean): number {
  const isSure = Math.max(...scores) >= 0.93 || (isAlone && Math.max(...scores) >= 0.82);
  // "We sent a verification code to 9173426051".
  if (candidate.shape === "long" && (!isSure || /\sto\s*$/i.test(before))) return 1;
  const hash = /#\s?$/.test(before) ? 0.3 : 0;
  if (candidate.shape === "loose") return hash + (isSure ? 0.12 : 0.5);
  if (candidate.kind === "alphanumeric") return hash + (isSure ? 0 : 0.15);
  return hash + (candidate.code.length === 4 && !isSure ? 0.12 : 0);
}
