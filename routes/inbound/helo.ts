/**
 * Whether a text may be the argument of HELO or EHLO (RFC 5321 section 4.1.1.1): labels of letters, digits, hyphens and
 * underscores, which some hosts use, or an address literal. At most 255 characters.
 */
export function isHelo(text: string): boolean {
  return text.length <= 255 &&
    (/^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?$/.test(text) ||
      /^\[[A-Za-z0-9.:-]+\]$/.test(text));
}
