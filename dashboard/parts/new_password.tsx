import { words } from "../words.ts";
import { Field } from "./form.tsx";

/** The field of a password that a person chooses. */
export function NewPassword(
  { name, label, error }: { name: string; label: string; error?: string },
) {
  return (
    <Field label={label} error={error} hint={words.signIn.passwordHint}>
      <input name={name} type="password" required minLength={8} autocomplete="new-password" />
    </Field>
  );
}
