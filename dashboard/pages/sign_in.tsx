import { useState } from "preact/hooks";
import { ApiError } from "../client.ts";
import { Field, useSubmit } from "../parts/form.tsx";
import { session } from "../resources.ts";
import { askedBy, query } from "../router.ts";
import { enter } from "../account.ts";
import { words } from "../words.ts";

/** Signs in, or makes an account; the URL stays the same. */
export function SignIn() {
  const invitation = query.value.get("invitation") ?? undefined;
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
  return (
    <main class="sign-in">
      <div class="sign-card">
        <div class="brand big">
          <span class="mark" aria-hidden="true" />
          {words.brand}
        </div>
        <h1>{making ? text.createTitle : text.title}</h1>
        <p class="muted">{askedBy.value === null ? text.lead : text.toConnect}</p>
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
        <p class="muted">
          {making ? text.have : text.isNew}{" "}
          <button type="button" class="link" onClick={() => setMaking(!making)}>
            {making ? text.title : text.createTitle}
          </button>
        </p>
      </div>
      <p class="muted small-text">
        <a href="/docs">{text.reference}</a> · <a href="/llms.txt">llms.txt</a>
      </p>
    </main>
  );
}
