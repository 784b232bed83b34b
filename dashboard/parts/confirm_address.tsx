import { useState } from "preact/hooks";
import { session } from "../resources.ts";
import { account, reloadAccount, say, sayProblem } from "../state.ts";
import { words } from "../words.ts";

/** Until the address of the account is confirmed: what cannot be sent, and the link again. */
export function ConfirmAddress() {
  const [busy, setBusy] = useState(false);
  if (!account.value?.mustConfirmEmail) return null;
  const resend = async () => {
    setBusy(true);
    try {
      say((await session.resendConfirmation()).message);
      // It may have been confirmed in another window.
      await reloadAccount();
    } catch (error) {
      sayProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="notice confirm-address" role="region" aria-label={words.account.confirmTitle}>
      <span>
        <strong>{words.account.confirmTitle}.</strong>{" "}
        {words.account.confirmLead(account.value.email)}
      </span>
      <button type="button" class="button small" disabled={busy} onClick={() => void resend()}>
        {words.account.resend}
      </button>
    </div>
  );
}
