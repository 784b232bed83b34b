import { useState } from "preact/hooks";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { session } from "../../resources.ts";
import { account, may, passwords, provider, say, sayProblem } from "../../state.ts";
import { leave } from "../../account.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";
import { ChangePassword } from "./change_password.tsx";
import { TakeAway } from "./take_away.tsx";

const text = words.account;

/** The address and password of the person, their other sessions, and the end of the account. */
export function AccountCards() {
  const [changing, setChanging] = useState(false);
  const [ending, setEnding] = useState(false);
  const { email } = account.value!;
  return (
    <>
      {passwords && (
        <Action
          title={pageWords.password.title}
          label={pageWords.password.change}
          run={() => Promise.resolve(setChanging(true))}
        />
      )}
      <Action
        title={text.sessions}
        label={text.endSessions}
        run={async () => say(text.sessionsEnded((await session.endOthers()).ended))}
      />
      <TakeAway />
      {may("end_account") && (
        <Action
          title={text.deleteTitle}
          lead={text.deleteLead}
          label={text.delete}
          danger
          run={() => Promise.resolve(setEnding(true))}
        />
      )}
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
      {ending && <DeleteAccount email={email} onClose={() => setEnding(false)} />}
    </>
  );
}

function Action(
  { title, lead, label, run, danger }: {
    title: string;
    lead?: string;
    label: string;
    run: () => Promise<void>;
    danger?: boolean;
  },
) {
  const [busy, setBusy] = useState(false);
  const start = () => {
    setBusy(true);
    run().catch(sayProblem).finally(() => setBusy(false));
  };
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        <span class="card-actions">
          <button
            type="button"
            class={`button small ${danger ? "danger" : ""}`}
            disabled={busy}
            onClick={start}
          >
            {label}
          </button>
        </span>
      </header>
      {lead && <p class="card-lead muted">{lead}</p>}
    </section>
  );
}

/**
 * The service asks for the email and the password, because the end of an account is permanent. A recent sign-in takes the
 * place of the password of who has none.
 */
function DeleteAccount({ email, onClose }: { email: string; onClose: () => void }) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    const password = String(form.get("password") ?? "");
    await session.deleteAccount(String(form.get("email")).trim(), password || undefined);
    leave();
  }, passwords ? ["password", "confirm_email"] : ["confirm_email"]);
  return (
    <Dialog title={text.deleteTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          {text.deleteText} <strong class="mono">{email}</strong> {text.toConfirm}
        </p>
        <Field label={words.signIn.email} error={errors.confirm_email}>
          <input name="email" type="email" required autocomplete="off" />
        </Field>
        {passwords && (
          <Field
            label={words.signIn.password}
            hint={provider === "" ? undefined : pageWords.password.orNone(provider)}
            error={errors.password}
          >
            <input
              name="password"
              type="password"
              required={provider === ""}
              autocomplete="current-password"
            />
          </Field>
        )}
        <FormFoot
          onClose={onClose}
          label={text.deleteForEver}
          error={errors.form}
          busy={busy}
          danger
        />
      </form>
    </Dialog>
  );
}
