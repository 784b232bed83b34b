/** Characters of a name, as people count them. */
export const maxNameLength = 100;

/** Control characters, those that turn the direction of writing, blanks, and letters that nobody sees. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\s\u2800]+/gu;

/** A stranger's name for itself as it can be shown: one line of what can be seen, of at most 100 characters. "" if nothing is left. */
export function shownName(text: unknown): string {
  if (typeof text !== "string") return "";
  const clean = text.replace(unseen, " ").trim();
  return [...clean.slice(0, 4 * maxNameLength)].slice(0, maxNameLength).join("");
}
