import { NewPassword } from "../parts/new_password.tsx";
import { Field, useSubmit } from "../parts/form.tsx";
import { enter, leave } from "../account.ts";
import { members } from "../resources.ts";
import { go, query } from "../router.ts";
import { SignCard } from "../parts/sign_card.tsx";
import { ProviderButton } from "../parts/provider_button.tsx";
import { account, passwords, provider, signedIn } from "../state.ts";
import { words } from "../words.ts";

const text = words.join;

/** The page of an invitation's link: a name and a password, and the person is signed in. */
export function Join() {
  const token = query.value.get("token") ?? "";
  const { errors, busy, submit } = useSubmit(async (form) => {
    await members.accept({
      token,
      name: String(form.get("name")),
      password: String(form.get("password")),
    });
    // Nothing of another account that was signed in here is shown.
    leave();
    go("/app/mail/all", { replace: true });
    await enter();
  }, ["name", "password"]);
  return (
    <SignCard title={text.title} lead={text.lead}>
      {signedIn.value && <p class="muted">{text.signedInAs(account.value?.email ?? "")}</p>}
      {/* Whoever the invitation is for is found by the email. */}
      <ProviderButton next="/app/mail/all" />
      {passwords && (
        <>
          {provider !== "" && <p class="or">{text.orPassword}</p>}
          <form onSubmit={submit}>
            <Field label={words.signIn.name} error={errors.name}>
              <input name="name" required maxLength={200} autocomplete="name" />
            </Field>
            <NewPassword name="password" label={words.signIn.password} error={errors.password} />
            {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
            <button type="submit" class="button primary full" aria-disabled={busy}>
              {busy ? words.signIn.wait : text.join}
            </button>
          </form>
        </>
      )}
    </SignCard>
  );
}
