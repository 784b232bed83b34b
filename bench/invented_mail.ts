import type { IndexedEmail } from "../domain/ports/search_index.ts";

/** Mail of invented words, as often as words of a language are (Zipf), of the lengths of real mail. */
export function inventedMail(count: number): IndexedEmail[] {
  const random = seeded(5);
  const syllables = "ba ce di fo gu ha ji ke lo mu na pe qui ro su ta ve wi xo zu ster lan mor tin"
    .split(" ");
  const vocabulary = Array.from(
    { length: 30_000 },
    () =>
      Array.from(
        { length: 2 + Math.floor(random() * 3) },
        () => syllables[Math.floor(random() * syllables.length)],
      ).join(""),
  );
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1];
  const sentence = (words: number) => Array.from({ length: words }, word).join(" ");
  return Array.from({ length: count }, (_, n) => {
    // Half of all mail has fewer than 250 words, a twentieth more than 2,000.
    const words = Math.round(250 * Math.exp(1.3 * (random() + random() + random() - 1.5) * 1.6));
    return {
      userId: "",
      emailId: "",
      mailboxId: "",
      direction: "inbound",
      from: `${word()} <${word()}${n % 300}@example.net>`,
      to: ["agent@agents.test"],
      subject: sentence(3 + Math.floor(random() * 5)),
      dateMs: 0,
      arrivedMs: 0,
      text: Array.from({ length: Math.ceil(words / 12) }, () => sentence(12)).join(".\n"),
      attachmentNames: [],
    };
  });
}

/** Numbers from 0 to 1 that are the same each time. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 4294967296;
  };
}
