/** The first `max` UTF-16 units of a text, one less if they would end inside a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const splits = text.charCodeAt(max - 1) >>> 10 === 0x36;
  return text.slice(0, splits ? max - 1 : max);
}
