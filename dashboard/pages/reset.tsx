import { useState } from "preact/hooks";
import { NewPassword } from "../parts/new_password.tsx";
import { useSubmit } from "../parts/form.tsx";
import { ProviderButton } from "../parts/provider_button.tsx";
import { SignCard } from "../parts/sign_card.tsx";
import { session } from "../resources.ts";
import { query } from "../router.ts";
import { passwords } from "../state.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";

const text = pageWords.reset;

/** The page of a mailed link: sets a new password. The token leaves the address bar with its use. */
export function Reset() {
  const [token] = useState(query.value.get("token") ?? "");
  const [isDone, setDone] = useState(false);
  const { errors, busy, submit } = useSubmit(async (form) => {
    await session.resetPassword(token, String(form.get("new_password")));
    history.replaceState(null, "", "/app/reset");
    setDone(true);
  }, ["new_password", "token"]);
  if (!passwords) {
    return (
      <SignCard title={text.title} lead={text.off}>
        <ProviderButton next="/app/" />
      </SignCard>
    );
  }
  if (isDone) {
    return (
      <SignCard title={text.title}>
        <p role="status">{text.done}</p>
        {/* Loaded anew: the browser may have been signed in as somebody else. */}
        <a class="button primary full" href="/app/" target="_self">{words.signIn.title}</a>
      </SignCard>
    );
  }
  return (
    <SignCard title={text.title} lead={text.lead}>
      <form onSubmit={submit}>
        <NewPassword
          name="new_password"
          label={pageWords.password.next}
          error={errors.new_password}
        />
        {errors.token && <p class="field-error" role="alert">{text.dead}</p>}
        {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
        <button type="submit" class="button primary full" aria-disabled={busy}>
          {busy ? words.signIn.wait : text.set}
        </button>
      </form>
      <p class="muted">
        <a href="/app/" target="_self">{pageWords.forgot.back}</a>
      </p>
    </SignCard>
  );
}
