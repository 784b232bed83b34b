import { AddButton } from "../parts/add_button.tsx";
import { useState } from "preact/hooks";
import { Confirm, Dialog, Field, FormFoot, useSubmit } from "../parts/form.tsx";
import { useKept } from "../parts/kept.ts";
import { useLoad } from "../parts/load.ts";
import { ShownOnce } from "../parts/shown_once.tsx";
import { IconButton, PageHead, Problem, Skeleton, Tag, Time } from "../parts/small.tsx";
import { leave } from "../account.ts";
import { members } from "../resources.ts";
import { account, may, reloadAccount, say, sayProblem } from "../state.ts";
import type { InvitedMember, Member } from "../types.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { PersonForm } from "./people/person_form.tsx";
import { RoleChoice } from "./people/role_choice.tsx";

const text = pageWords.people;

/** Who belongs to the account: invite, change the role, remove. */
export default function PeoplePage() {
  const { data, error, reload } = useLoad(members.list, []);
  const [inviting, setInviting] = useKept("new person", false);
  const [invited, setInvited] = useState<InvitedMember | null>(null);
  const [editing, setEditing] = useState<Member | null>(null);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const remove = async (member: Member) => {
    const { key_ids } = await members.remove(member.member_id);
    if (isSelf(member)) return leave();
    say(text.removed(key_ids.length));
    reload();
  };
  return (
    <div class="page">
      <PageHead title={words.pages.people} lead={text.lead}>
        <AddButton
          operation="invite_member"
          label={text.invite}
          onClick={() => setInviting(true)}
        />
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && (
        <ul class="cards people">
          {data.map((each) => (
            <PersonRow
              key={each.member_id}
              member={each}
              changed={reload}
              edit={() => setEditing(each)}
              leave={() => setLeaving(each)}
            />
          ))}
        </ul>
      )}
      {data && <Roles />}
      {inviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={(made) => {
            setInviting(false);
            setInvited(made);
            reload();
          }}
        />
      )}
      {invited && (
        <ShownOnce
          title={text.invitedTitle(invited.email)}
          lead={invited.mailed ? text.invitedAndMailed : text.invitedLead}
          secret={invited.invitation_url}
          onClose={() => setInvited(null)}
        />
      )}
      {editing && (
        <PersonForm
          member={editing}
          onClose={() => setEditing(null)}
          onDone={() => {
            setEditing(null);
            reload();
            if (isSelf(editing)) reloadAccount().catch(sayProblem);
          }}
        />
      )}
      {leaving && (
        <Confirm
          title={isSelf(leaving) ? text.leaveTitle : text.removeTitle}
          text={isSelf(leaving) ? text.leaveText : text.removeText(leaving.name || leaving.email)}
          label={isSelf(leaving) ? text.leave : text.remove}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

const isSelf = ({ member_id }: Member) => member_id === account.value?.memberId;

/** An admin changes all but owners. */
function mayChange(member: Member, operation: string): boolean {
  if (isSelf(member)) return true;
  return may(operation) && (member.role !== "owner" || may("change_owners"));
}

function PersonRow(
  { member, changed, edit, leave }: {
    member: Member;
    changed: () => void;
    edit: () => void;
    leave: () => void;
  },
) {
  const { name, email, new_email: newEmail, role, status, notify, last_seen: seen } = member;
  const shown = name || email;
  const turn = () =>
    members.update(member.member_id, { notify: notify === "none" ? "drafts" : "none" })
      .catch(sayProblem).finally(changed);
  return (
    <li class="card-row">
      <span class="card-main">
        <span class="strong" dir="auto">{shown}{isSelf(member) && ` (${text.you})`}</span>
        <span class="muted">
          {name && `${email} · `}
          {status === "invited" ? text.notJoined : seen
            ? (
              <>
                {text.seen} <Time at={seen} />
              </>
            )
            : text.neverSeen}
          {newEmail && ` · ${text.waitsFor(newEmail)}`}
        </span>
      </span>
      <Tag tone={status === "invited" ? "wait" : "plain"}>
        {status === "invited" ? text.invitedAs(text.roles[role].name) : text.roles[role].name}
      </Tag>
      {status === "active" && mayChange(member, "update_another_member") && (
        <>
          <button
            type="button"
            class="button small"
            aria-label={`${text.notices[notify]}: ${shown}`}
            title={text.noticesHint}
            onClick={turn}
          >
            {text.notices[notify]}
          </button>
          <button
            type="button"
            class="button small"
            aria-label={text.changeOne(shown)}
            onClick={edit}
          >
            {text.change}
          </button>
        </>
      )}
      {mayChange(member, "delete_another_member") && (
        <IconButton
          icon={isSelf(member) ? "out" : "trash"}
          label={isSelf(member) ? text.leave : text.removeOne(shown)}
          onClick={leave}
        />
      )}
    </li>
  );
}

/** What each role may do, in words. */
function Roles() {
  return (
    <>
      <h2>{text.rolesTitle}</h2>
      <ul class="cards roles">
        {Object.values(text.roles).map(({ name, meaning }) => (
          <li key={name} class="card-row">
            <span class="card-main">
              <span class="strong">{name}</span>
              <span class="muted">{meaning}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Invite(
  { onClose, onMade }: { onClose: () => void; onMade: (made: InvitedMember) => void },
) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    const role = String(form.get("role")) as Member["role"];
    onMade(await members.invite(String(form.get("email")).trim(), role));
  }, ["email", "role"]);
  return (
    <Dialog title={text.invite} onClose={onClose} keepAs="person">
      <form onSubmit={submit}>
        <Field label={words.signIn.email} error={errors.email}>
          <input name="email" type="email" required autocomplete="off" />
        </Field>
        <RoleChoice chosen="approver" error={errors.role} />
        <FormFoot onClose={onClose} label={text.invite} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
