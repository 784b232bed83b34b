/** Mail can hold sequences that a terminal obeys, and characters that turn the direction of text. */
export function plain(text: string): string {
  // deno-lint-ignore no-control-regex -- these are what is taken out
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "");
}
