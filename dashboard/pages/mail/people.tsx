import { useState } from "preact/hooks";
import type { FullEmail } from "../../types.ts";
import { mailboxOf } from "../../state.ts";
import { words } from "../../words.ts";

/** The addresses of a message that its head does not show: a name can say anything, and the head is one line. */
export function People({ email }: { email: FullEmail }) {
  const { from, from_name, to, cc, bcc, reply_to } = email;
  const fields = {
    from: from_name ? [from] : [],
    replyTo: reply_to.join() === from ? [] : reply_to,
    to: to.length > 1 ? to : [],
    cc,
    bcc,
    // By a tag, a catch-all or a blind copy: the address says what the mail is about.
    deliveredTo: (email.envelope_to ?? []).filter((address) =>
      address.toLowerCase() !== mailboxOf(email.mailbox_id)?.email_address
    ),
  };
  const text = words.thread.people;
  const shown = (Object.keys(fields) as (keyof typeof fields)[])
    .filter((name) => fields[name].some((address) => address !== ""));
  if (shown.length === 0) return null;
  return (
    <dl class="people">
      {shown.map((name) => (
        <div key={name}>
          <dt>{text[name]}</dt>
          <dd>
            <Addresses list={fields[name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A longer list begins with these, and a button shows the others. */
const shownAtFirst = 8;

function Addresses({ list }: { list: string[] }) {
  const [all, setAll] = useState(false);
  if (all || list.length <= shownAtFirst + 1) return <>{list.join(", ")}</>;
  return (
    <>
      {list.slice(0, shownAtFirst).join(", ")}{" "}
      <button type="button" class="link" onClick={() => setAll(true)}>
        {words.thread.people.more(list.length - shownAtFirst)}
      </button>
    </>
  );
}
