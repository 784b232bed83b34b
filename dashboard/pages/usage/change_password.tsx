import { NewPassword } from "../../parts/new_password.tsx";
import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { session } from "../../resources.ts";
import { say } from "../../state.ts";
import { pageWords } from "../../parts/page_words.ts";

const text = pageWords.password;

/** Changes the password of the person who is signed in. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    const { ended } = await session.changePassword(
      String(form.get("current_password")),
      String(form.get("new_password")),
    );
    say(text.changed(ended));
    onClose();
  }, ["current_password", "new_password"]);
  return (
    <Dialog title={text.change} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={text.current} error={errors.current_password}>
          <input name="current_password" type="password" required autocomplete="current-password" />
        </Field>
        <NewPassword name="new_password" label={text.next} error={errors.new_password} />
        <FormFoot onClose={onClose} label={text.change} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
