/**
 * The name of a person for a mail to another address. Whoever registers chooses it. So it is cut, and the characters of
 * links are removed: a stranger cannot send a message in it.
 */
export function plainName(name: string, otherwise: string): string {
  return name.replace(/[^\p{L}\p{M}' -]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 40).trim() ||
    otherwise;
}
