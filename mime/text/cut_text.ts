/** Cuts to `max` UTF-16 units, never through a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const splits = text.charCodeAt(max - 1) >>> 10 === 0x36;
  return text.slice(0, splits ? max - 1 : max);
}
