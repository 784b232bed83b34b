import { useState } from "preact/hooks";
import { Field, useSubmit } from "../../parts/form.tsx";
import { SignCard } from "../../parts/sign_card.tsx";
import { session } from "../../resources.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";

const text = pageWords.forgot;

/** Asks for a link that sets a new password. What the service says of it is the same for every address. */
export function Forgot({ onBack }: { onBack: () => void }) {
  const [said, setSaid] = useState("");
  const { errors, busy, submit } = useSubmit(async (form) => {
    setSaid("");
    setSaid((await session.forgotPassword(String(form.get("email")))).message);
  }, ["email"]);
  return (
    <SignCard title={text.title} lead={text.lead}>
      <form onSubmit={submit}>
        <Field label={words.signIn.email} error={errors.email}>
          <input name="email" type="email" required autocomplete="username" autofocus />
        </Field>
        {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
        <p role="status">{said}</p>
        <button type="submit" class="button primary full" aria-disabled={busy}>
          {busy ? words.signIn.wait : text.send}
        </button>
      </form>
      <p class="muted">
        <button type="button" class="link" onClick={onBack}>{text.back}</button>
      </p>
    </SignCard>
  );
}
