/** A URL in a text, and its place. */
export interface FoundUrl {
  url: string;
  start: number;
  end: number;
}

const urlStart = /https?:\/\//gi;
/** Characters that no URL has, or that end one in a sentence. */
const urlEnd = /[\s<>"`{}|\\^\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\u201c-\u201f«»]/;
/** Scripts without blanks between words: a sentence continues directly after the URL. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The `http:` and `https:` URLs of a text, in order, without the punctuation of the sentence around them. */
export function* urlsOf(text: string): Generator<FoundUrl> {
  urlStart.lastIndex = 0;
  for (let found = urlStart.exec(text); found; found = urlStart.exec(text)) {
    const start = found.index;
    const host = urlStart.lastIndex;
    const end = withoutPunctuation(text, host, lineUrlEnd(text, host));
    urlStart.lastIndex = Math.max(end, host);
    if (end > host) yield { url: text.slice(start, end), start, end };
  }
}

/** The first index after the URL; text in a script without blanks may follow directly after a host with a dot. */
function lineUrlEnd(text: string, host: number): number {
  let dotted = false;
  let at = host;
  for (; at < text.length; at++) {
    const one = text[at];
    if (urlEnd.test(one)) break;
    if (one === ".") dotted = true;
    else if (dotted && one > "\u2e7f" && unspaced.test(one)) break;
  }
  return at;
}

const closing = new Map([[")", "("], ["]", "["]]);

function withoutPunctuation(text: string, start: number, limit: number): number {
  const balance = new Map<string, number>();
  for (let at = start; at < limit; at++) {
    for (const [close, open] of closing) {
      const step = text[at] === open ? 1 : text[at] === close ? -1 : 0;
      if (step !== 0) balance.set(close, (balance.get(close) ?? 0) + step);
    }
  }
  let end = limit;
  for (; end > start; end--) {
    const last = text[end - 1];
    if (closing.has(last)) {
      if ((balance.get(last) ?? 0) >= 0) break;
      balance.set(last, balance.get(last)! + 1);
    } else if (!".,;:!?'’*_~…".includes(last)) break;
  }
  return end;
}

/** The host of an `http:` or `https:` URL in lower-case ASCII; null if it is none. */
export function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return (protocol === "http:" || protocol === "https:") && hostname !== "" ? hostname : null;
}
