import type { Word } from "./tokens.ts";

/**
 * The weight of a word of a query, whatever the mail: 0 for small words, 0.25 for words of the request
 * ("find the email about"), 3 for identifiers, else 1.
 */
export function termWeight(word: Word): number {
  if (smallWords.has(word.text)) return 0;
  if (requestWords.has(word.text)) return requestWeight;
  return word.identifier ? identifierWeight : 1;
}

/** Whether a word is a stop word, such as "the". */
export function isSmallWord(word: string): boolean {
  return smallWords.has(word);
}

const requestWeight = 0.25;
const identifierWeight = 3;

const smallWords = new Set(
  ("a about above after again all already also am among an and any anyone anything are as at be because been before being " +
    "below between both but by can could did do does doing done during each either else ever every few for from get gets " +
    "getting got had has have having he her here hers him his how however i if in into is it its itself just like me " +
    "might mine more most much must my neither no nor not now of off on once one only onto or other our ours out over " +
    "own per please quite rather s same shall she should since so some somebody someone something such than that the " +
    "their theirs them then there these they thing things this those though through to too under until up upon us " +
    "very via was we were what whatever when where whether which while who whom whose why will with within without " +
    "would yes yet you your yours dont doesnt didnt isnt arent wasnt im ive id ill its lets thats whats " +
    // German, French, Spanish, Italian, Dutch, Portuguese, without words that mean something in English.
    "der den dem des das ein eine einen einem einer und oder ist sind war wird werden nicht mit von zu zum zur im auf " +
    "fur wie wann wer wo ich du er sie wir ihr mein meine meinen dein unser kann hat habe haben le la les un une du de et ou " +
    "est sont dans pour par avec sur qui que quoi quand je tu il elle nous vous mon ma mes ce cette el los las una y o " +
    "es son en por con para cuando donde como mi su il lo gli uno e di da che quando dove come mio mia het een en of is " +
    "van voor met wanneer waar hoe ik wij mijn os um uma em com quando onde meu minha")
    .split(" "),
);

/** Words of the request itself, not of its topic. */
const requestWords = new Set(
  ("find show search look looking give tell email emails mail mails message messages know need want wants wanted going " +
    "say says said saying ask asked asking regarding concerning information info details many anybody last latest " +
    "recent recently")
    .split(" "),
);
