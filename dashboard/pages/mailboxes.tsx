import { AddButton } from "../parts/add_button.tsx";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number } from "../format.ts";
import { useKept } from "../parts/kept.ts";
import { useLoad } from "../parts/load.ts";
import { Copy, Empty, IconButton, PageHead, Problem, Skeleton, Time } from "../parts/small.tsx";
import { account, mailboxes, mailboxesKnown, may, reloadMailboxes } from "../state.ts";
import type { Mailbox } from "../types.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { DetailsDialog } from "./mailboxes/details_dialog.tsx";
import { DeleteMailbox, MailboxForm } from "./mailboxes/mailbox_dialogs.tsx";
import { PolicyDialog } from "./mailboxes/policy_dialog.tsx";
import { guideWords } from "./mail/guide_words.ts";

const text = pageWords.mailboxes;
type Open = { dialog: "rename" | "details" | "policy" | "delete"; box: Mailbox };

/** The account's addresses: make, rename, set the policy, delete. */
export default function MailboxesPage() {
  const [making, setMaking] = useKept("new mailbox", false);
  const [open, setOpen] = useKept<Open | null>("mailbox dialog", null);
  const { error, reload } = useLoad(reloadMailboxes, []);
  const close = () => setOpen(null);
  const isKnown = mailboxesKnown.value;
  const count = mailboxes.value.length;
  const limit = account.value!.limits.mailboxes;
  return (
    <div class="page">
      <PageHead
        title={words.pages.mailboxes}
        lead={!isKnown
          ? "…"
          : limit === null
          ? text.inUse(number(count))
          : text.ofLimit(number(count), number(limit))}
      >
        {may("import_email") && <a class="button" href="/app/bring">{words.pages.bring}</a>}
        <AddButton operation="create_mailbox" label={text.create} onClick={() => setMaking(true)} />
      </PageHead>
      {!isKnown && (error ? <Problem error={error} again={reload} /> : <Skeleton rows={3} />)}
      {isKnown && count === 0 && (
        <Empty icon="inbox" title={guideWords.noMailbox}>
          <p>{guideWords.noMailboxLead}</p>
        </Empty>
      )}
      {count > 0 && (
        <MailboxRows
          row={(box) => (
            <MailboxRow
              key={box.mailbox_id}
              box={box}
              open={(dialog) => setOpen({ dialog, box })}
            />
          )}
        />
      )}
      {making && <MailboxForm onClose={() => setMaking(false)} />}
      {open?.dialog === "rename" && <MailboxForm box={open.box} onClose={close} />}
      {open?.dialog === "details" && <DetailsDialog box={open.box} onClose={close} />}
      {open?.dialog === "policy" && <PolicyDialog box={open.box} onClose={close} />}
      {open?.dialog === "delete" && <DeleteMailbox box={open.box} onClose={close} />}
    </div>
  );
}

/** With more mailboxes than this there is a field that finds some. */
const manyMailboxes = 10;
const shownAtFirst = 100;

function MailboxRows({ row }: { row: (box: Mailbox) => ComponentChildren }) {
  const [wanted, setWanted] = useState("");
  const [all, setAll] = useState(false);
  const part = wanted.trim().toLowerCase();
  const found = mailboxes.value.filter((each) => each.email_address.includes(part));
  const shown = all ? found : found.slice(0, shownAtFirst);
  return (
    <>
      {mailboxes.value.length > manyMailboxes && (
        <div class="find-box">
          <input
            type="search"
            aria-label={text.find}
            placeholder={text.find}
            autocapitalize="off"
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </div>
      )}
      {found.length > 0 && <ul class="cards">{shown.map(row)}</ul>}
      {found.length === 0 && <p class="muted" role="status">{text.noneFound}</p>}
      {shown.length < found.length && (
        <p>
          <button type="button" class="button" onClick={() => setAll(true)}>
            {text.showAll(number(found.length))}
          </button>
        </p>
      )}
    </>
  );
}

function MailboxRow(
  { box, open }: { box: Mailbox; open: (dialog: Open["dialog"]) => void },
) {
  const { email_address: address, email_count: received, last_email_date: last } = box;
  return (
    <li class="card-row">
      <a class="card-main" href={`/app/mail/${box.mailbox_id}`}>
        <span class="mono strong">{address}</span>
        <span class="muted">
          {received === 0 ? text.noneReceived : (
            <>
              {text.received(received, number(received))} <Time at={last} />
            </>
          )}
        </span>
      </a>
      <Copy bare text={address} label={text.copyOne(address)} />
      {may("rename_mailbox") && (
        <>
          <RowButton label={text.renameOne(address)} onClick={() => open("rename")}>
            {text.rename}
          </RowButton>
          <RowButton label={text.detailsOne(address)} onClick={() => open("details")}>
            {text.details}
          </RowButton>
        </>
      )}
      {may("set_mailbox_policy") && (
        <RowButton
          label={text.policyOne(address)}
          onClick={() => open("policy")}
        >
          {text.policy}
        </RowButton>
      )}
      {may("delete_mailbox") && (
        <IconButton
          icon="trash"
          label={text.deleteOne(address)}
          onClick={() => open("delete")}
        />
      )}
    </li>
  );
}

function RowButton(
  { label, onClick, children }: { label: string; onClick: () => void; children: string },
) {
  return (
    <button type="button" class="button small" aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
