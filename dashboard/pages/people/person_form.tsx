import { Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { members } from "../../resources.ts";
import { account, may, say } from "../../state.ts";
import type { Member } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { words } from "../../words.ts";
import { RoleChoice } from "./role_choice.tsx";

const text = pageWords.people;

/** One's own name and email, or the role of another person. */
export function PersonForm(
  { member, onClose, onDone }: { member: Member; onClose: () => void; onDone: () => void },
) {
  const isSelf = member.member_id === account.value?.memberId;
  // Whoever may change others may give up a part of their own role.
  const hasRole = may("update_another_member");
  const { errors, busy, submit } = useSubmit(async (form) => {
    const given = (name: "role" | "name" | "email") => {
      const value = form.get(name);
      return typeof value === "string" && value.trim() !== member[name]
        ? { [name]: value.trim() }
        : {};
    };
    const changes = { ...given("role"), ...given("name"), ...given("email") };
    if (Object.keys(changes).length > 0) {
      const { new_email: newEmail } = await members.update(member.member_id, changes);
      if ("email" in changes && newEmail) say(text.linkMailed(newEmail));
    }
    onDone();
  }, ["name", "email", "role"]);
  return (
    <Dialog title={text.changeOne(member.name || member.email)} onClose={onClose}>
      <form onSubmit={submit}>
        {isSelf && (
          <>
            <Field label={words.signIn.name} error={errors.name}>
              <input
                name="name"
                required
                maxLength={200}
                defaultValue={member.name}
                autocomplete="name"
              />
            </Field>
            <Field label={words.signIn.email} hint={text.emailHint} error={errors.email}>
              <input
                name="email"
                type="email"
                required
                defaultValue={member.email}
                autocomplete="email"
              />
            </Field>
          </>
        )}
        {hasRole && <RoleChoice chosen={member.role} error={errors.role} />}
        {hasRole && <p class="muted">{text.lowerHint}</p>}
        <FormFoot onClose={onClose} label={words.save} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
