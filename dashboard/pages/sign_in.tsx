import { useState } from "preact/hooks";
import { ApiError } from "../client.ts";
import { Field, useSubmit } from "../parts/form.tsx";
import { lazy } from "../parts/lazy.tsx";
import { SignCard } from "../parts/sign_card.tsx";
import { session } from "../resources.ts";
import { askedBy, place, query } from "../router.ts";
import { ProviderButton } from "../parts/provider_button.tsx";
import { enter } from "../account.ts";
import { passwords, provider } from "../state.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";

const Forgot = lazy(async () => (await import("./sign_in/forgot.tsx")).Forgot);

/** Signs in, or makes an account; the URL stays the same. */
export function SignIn() {
  const invitation = query.value.get("invitation") ?? undefined;
  const [forgotten, setForgotten] = useState(false);
  const [making, setMaking] = useState(invitation !== undefined);
  const [wanted, setWanted] = useState(invitation !== undefined);
  const { errors, busy, submit } = useSubmit(async (form) => {
    const email = String(form.get("email")), password = String(form.get("password"));
    if (making) {
      const given = String(form.get("invitation") ?? "").trim();
      await session.register({
        name: String(form.get("name")),
        email,
        password,
        ...given ? { invitation: given } : {},
      }).catch((failed) => {
        // A service with registration by invitation answers 403: then the form asks for an invitation.
        if (failed instanceof ApiError && failed.status === 403) setWanted(true);
        throw failed;
      });
    }
    await session.signIn(email, password).catch((failed) => {
      // The account is there: the next try signs in.
      setMaking(false);
      throw failed;
    });
    await enter();
  }, making ? ["email", "password", "name"] : ["password", "email"]);
  const text = words.signIn;
  if (forgotten) return <Forgot onBack={() => setForgotten(false)} />;
  return (
    <SignCard
      title={making ? text.createTitle : text.title}
      lead={askedBy.value === null ? text.lead : text.toConnect}
    >
      <ProviderButton next={askedBy.value ?? place.value} />
      {passwords && provider !== "" && <p class="or">{text.or}</p>}
      {passwords && (
        <form onSubmit={submit}>
          {making && (
            <Field label={text.name} error={errors.name}>
              <input name="name" required maxLength={200} autocomplete="name" />
            </Field>
          )}
          <Field label={text.email} error={errors.email}>
            <input name="email" type="email" required autocomplete="username" />
          </Field>
          <Field
            label={text.password}
            error={errors.password}
            hint={making ? text.passwordHint : undefined}
          >
            <input
              name="password"
              type="password"
              required
              minLength={making ? 8 : 1}
              autocomplete={making ? "new-password" : "current-password"}
            />
          </Field>
          {making && wanted && (
            <Field label={text.invitation} hint={text.invitationHint}>
              <input name="invitation" defaultValue={invitation} autocomplete="off" />
            </Field>
          )}
          {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
          <button type="submit" class="button primary full" aria-disabled={busy}>
            {busy ? text.wait : making ? text.create : text.title}
          </button>
        </form>
      )}
      {passwords && (
        <p class="muted">
          {making ? text.have : text.isNew}{" "}
          <button type="button" class="link" onClick={() => setMaking(!making)}>
            {making ? text.title : text.createTitle}
          </button>
        </p>
      )}
      {passwords && !making && (
        <p class="muted">
          <button type="button" class="link" onClick={() => setForgotten(true)}>
            {pageWords.forgot.link}
          </button>
        </p>
      )}
    </SignCard>
  );
}
