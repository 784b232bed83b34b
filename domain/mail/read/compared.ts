/** Whether a part, as `compared` gives it, is in a text of a mail. */
export function contains(text: string, part: string): boolean {
  return compared(text).includes(part);
}

/** A text without its case, composed: macOS writes `é` as two characters in names of files, which become subjects. */
export function compared(text: string): string {
  return text.normalize().toLowerCase();
}
