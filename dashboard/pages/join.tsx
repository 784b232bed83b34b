import { Field, useSubmit } from "../parts/form.tsx";
import { enter, leave } from "../account.ts";
import { members } from "../resources.ts";
import { go, query } from "../router.ts";
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
    <main class="sign-in">
      <div class="sign-card">
        <div class="brand big">
          <span class="mark" aria-hidden="true" />
          {words.brand}
        </div>
        <h1>{text.title}</h1>
        <p class="muted">{text.lead}</p>
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
              <Field
                label={words.signIn.password}
                error={errors.password}
                hint={words.signIn.passwordHint}
              >
                <input
                  name="password"
                  type="password"
                  required
                  minLength={8}
                  autocomplete="new-password"
                />
              </Field>
              {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
              <button type="submit" class="button primary full" aria-disabled={busy}>
                {busy ? words.signIn.wait : text.join}
              </button>
            </form>
          </>
        )}
      </div>
    </main>
  );
}
