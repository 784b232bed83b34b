/** Characters of a name, as people count them. */
export const maxNameLength = 100;

/**
 * A stranger's name for itself as it can be shown: one line, without control characters and those that turn the direction
 * of writing, cut to 100 characters. "" if nothing is left.
 */
export function shownName(text: unknown): string {
  if (typeof text !== "string") return "";
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return [...clean.slice(0, 4 * maxNameLength)].slice(0, maxNameLength).join("");
}
