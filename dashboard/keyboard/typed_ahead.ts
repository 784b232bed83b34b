import { signal } from "@preact/signals";

/** How often somebody wanted to search. */
export const searchesWanted = signal(0);

/** The search page is loaded within this time, or the letters are shortcuts again. */
const longestMs = 3_000;

let typed: string | null = null;
let beganAt = 0;

/** What is typed from now on, until the search box takes it, is for the box: it may still be on its way. */
export function beginTyping(): void {
  typed = "";
  beganAt = Date.now();
  searchesWanted.value++;
}

/** Keeps a key for the search box; false if none is expected. */
export function typeAhead({ key, modified, inText }: {
  key: string;
  modified: boolean;
  inText: boolean;
}): boolean {
  if (typed === null || inText || modified || Date.now() - beganAt > longestMs) return false;
  if (key.length !== 1) return false;
  typed += key;
  return true;
}

/** For the search box: what was typed before it was there. */
export function takeTyped(): string {
  const text = typed ?? "";
  typed = null;
  return text;
}
