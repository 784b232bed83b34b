/** A loaded part of a list: the newest rows, and where the next page begins; null at the end. */
export interface Part<T> {
  emails: T[];
  cursor: string | null;
}

/**
 * The newest page asked for again, and behind it the rows that were loaded before and are older. Rows before that the page
 * does not have any more are gone, and so are those in `gone`. If nothing of the part before is in the page, so much came
 * that rows between are missing: the page stands alone.
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
