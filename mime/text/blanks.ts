const spaceCode = 0x20;
const tabCode = 0x09;

/** SP or HTAB: WSP of RFC 5234. */
export const isBlankCode = (code: number): boolean => code === spaceCode || code === tabCode;

/**
 * Text without the blanks around it. Not a regular expression that ends in `$`: that starts again at each blank of a
 * run, and took minutes for 480 kB of blanks.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  while (start < text.length && isBlankCode(text.charCodeAt(start))) start++;
  return trimBlanksAtEnd(text.slice(start));
}

/** Text without the blanks at its end. */
export function trimBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlankCode(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}
