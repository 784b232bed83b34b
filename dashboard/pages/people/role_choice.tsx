import { Field } from "../../parts/form.tsx";
import { may } from "../../state.ts";
import type { Member } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";

const text = pageWords.people;

/** The roles that the person who is signed in may give. */
export function RoleChoice({ chosen, error }: { chosen: Member["role"]; error?: string }) {
  const names = (Object.keys(text.roles) as Member["role"][])
    .filter((role) => role !== "owner" || may("change_owners"));
  return (
    <Field label={text.role} error={error}>
      <select name="role" defaultValue={chosen}>
        {names.map((role) => (
          <option key={role} value={role} selected={role === chosen}>
            {text.roles[role].name}
          </option>
        ))}
      </select>
    </Field>
  );
}
