import { useEffect } from "preact/hooks";
import { readingMarks } from "../../choices/reading.ts";
import { update } from "../../selection.ts";
import { may, sayProblem } from "../../state.ts";
import type { FullEmail } from "../../types.ts";

/** Marks a received message as read when it is shown, for who has chosen this; once, so that "unread" stays. */
export function useMarkRead(email: FullEmail | null): void {
  const id = email?.email_id;
  useEffect(() => {
    if (!email || email.is_read || !readingMarks.value || !may("update_email")) return;
    update([email.email_id], { is_read: true }).catch(sayProblem);
  }, [id]);
}
