/** A loaded part of a list: the newest rows, and where the next page begins; null at the end. */
export interface Part<T> {
  emails: T[];
  cursor: string | null;
}

/**
 * The newest page, loaded again, followed by the older rows that were loaded before. Removed are rows in the range of
 * the page that it no longer has, and those in `gone`. If the page has no row of the earlier part, rows between them
 * are missing: the result is the page alone.
 */
export function mergePages<T extends { email_id: string }>(
  before: Part<T>,
  page: { data: T[]; meta: { next_cursor: string | null } },
  gone: ReadonlySet<string | null>,
): Part<T> {
  const cursor = page.meta.next_cursor;
  const ids = new Set(page.data.map(({ email_id }) => email_id));
  const last = before.emails.findLastIndex(({ email_id }) => ids.has(email_id));
  const behind = last < 0 || cursor === null ? [] : before.emails.slice(last + 1);
  if (behind.length === 0) return { emails: page.data, cursor };
  const emails = [...page.data, ...behind].filter(({ email_id }) => !gone.has(email_id));
  return { emails, cursor: before.cursor };
}
