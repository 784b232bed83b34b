import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../client.ts";
import { bytes, exactTime, longTime } from "../../format.ts";
import { Downloads } from "../../parts/downloads.tsx";
import { Confirm, Dialog, Field, FormFoot, useSubmit } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useKept } from "../../parts/kept.ts";
import { Code, Tag, Time, type Tone } from "../../parts/small.tsx";
import { drafts } from "../../resources.ts";
import { account, may, reloadAttention, say, sayProblem } from "../../state.ts";
import type { Draft, Sent } from "../../types.ts";
import { draftWords } from "./draft_words.ts";
import { words } from "../../words.ts";
import { HtmlFrame } from "../mail/html_frame.tsx";
import { EditDialog } from "./edit_dialog.tsx";

const text = draftWords;
const tones: Partial<Record<Draft["status"], Tone>> = {
  pending_approval: "wait",
  sent: "ok",
  rejected: "bad",
};

const openStatuses: Draft["status"][] = ["draft", "scheduled", "pending_approval"];

interface CardProps {
  draft: Draft;
  /** `decided`: it was approved, rejected, sent or deleted here. */
  changed: (decided: boolean) => void;
  /** The page is about this draft: its buttons have keys. */
  alone?: boolean;
  /** Why it waits, besides its recipients. */
  why?: string;
  /** Before its content. */
  children?: ComponentChildren;
}

/**
 * The content of a draft, its recipients, why it is held, and the buttons of the decision. Mail programs show the HTML
 * in place of the text, and it can say something else: the card has both.
 */
export function DraftCard({ draft, changed, alone, why, children }: CardProps) {
  const subject = draft.subject || words.mail.noSubject;
  // Of an ended draft the texts alone are kept.
  const isOpen = openStatuses.includes(draft.status);
  // A conversation can have several drafts of one subject.
  const name = [subject, text.statuses[draft.status], exactTime(draft.updated_at)].join(", ");
  return (
    <section class="card draft" aria-label={name}>
      <header class="card-head">
        <h2 dir="auto">
          {alone || draft.status !== "pending_approval"
            ? subject
            : <a href={`/app/waiting/${draft.draft_id}`}>{subject}</a>}
        </h2>
        <Tag tone={tones[draft.status]}>{text.statuses[draft.status]}</Tag>
        <span class="push">
          <Time at={draft.updated_at} class="muted" />
        </span>
      </header>
      <Reasons draft={draft} isOpen={isOpen} why={why} />
      {draft.decided_by && (
        <p class="muted draft-note">
          {(draft.status === "rejected" ? text.rejectedBy : text.approvedBy)(draft.decided_by.name)}
        </p>
      )}
      {children}
      <dl class="facts">
        <Fact name={words.compose.from} value={draft.from} />
        <Fact name={words.compose.to} value={draft.to.join(", ")} />
        <Fact name={words.compose.cc} value={draft.cc.join(", ")} />
        <Fact name={words.compose.bcc} value={draft.bcc.join(", ")} />
        <Fact name={words.thread.people.replyTo} value={draft.reply_to.join(", ")} />
        {Object.entries(draft.headers ?? {}).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
        <Fact name={text.sendAt} value={draft.send_at ? longTime(draft.send_at) : ""} />
        {!isOpen && <Fact name={words.thread.attachments} value={fileNames(draft)} />}
      </dl>
      {draft.body_text !== null && (
        <div class="draft-text text" tabIndex={0} role="group" aria-label={words.compose.text}>
          {draft.body_text}
        </div>
      )}
      {draft.body_html && <DraftHtml draft={draft} isOpen={isOpen} />}
      {isOpen && <Downloads files={draft.attachments.map((each) => fileOf(draft, each))} />}
      {draft.truncated && <p class="muted small-text draft-note">{text.cut}</p>}
      <Decision draft={draft} changed={changed} alone={alone} />
    </section>
  );
}

function fileNames({ attachments }: Draft): string {
  return attachments.map(({ filename, size }) => `${filename}, ${bytes(size)}`).join("; ");
}

/** The address has the hash of the bytes, so what is read is what goes out. */
function fileOf({ draft_id }: Draft, { filename, sha256, size }: Draft["attachments"][number]) {
  return { href: `/api/drafts/${draft_id}/attachments/${sha256}`, filename, size };
}

/** The HTML as the recipient sees it, and its source, which has all of it. */
function DraftHtml({ draft, isOpen }: { draft: Draft; isOpen: boolean }) {
  const [view, setView] = useState<"shown" | "source">(isOpen ? "shown" : "source");
  const { draft_id, content_hash, body_html } = draft;
  return (
    <div class="draft-html">
      {isOpen && (
        <header>
          <h3>{text.html}</h3>
          <div class="views" role="group" aria-label={words.thread.showAs}>
            {(["shown", "source"] as const).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={view === name}
                onClick={() => setView(name)}
              >
                {text.htmlViews[name]}
              </button>
            ))}
          </div>
        </header>
      )}
      {view === "shown"
        ? (
          <HtmlFrame
            key={content_hash}
            path={`/api/drafts/${draft_id}/html`}
            query={{ content_hash }}
          />
        )
        : <Code title={isOpen ? text.htmlViews.source : text.html} text={body_html!} />}
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Why it waits, or why it was rejected. */
function Reasons(
  { draft: { reasons, reject_reason: rejectReason }, isOpen, why }:
    & Pick<CardProps, "draft" | "why">
    & { isOpen: boolean },
) {
  // None of its recipients is a reason.
  const isAlways = reasons.every(({ provenance, code }) => provenance !== "new" && !code);
  const said = why ?? (isAlways ? text.always : null);
  return (
    <>
      {isOpen && reasons.length > 0 && (
        <ul class="notice held">
          {said && (
            <li>
              <Icon name="hand" size={15} />
              <span>{said}</span>
            </li>
          )}
          {reasons.map(({ recipient, provenance, code }) => (
            <li key={recipient}>
              <Icon name="hand" size={15} />
              <span>
                <strong>{recipient}</strong>{" "}
                {code ? text.refusals[code] ?? code : text.provenances[provenance]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {rejectReason && <p class="notice bad">{text.rejectedFor(rejectReason)}</p>}
    </>
  );
}

/** Approves, rejects, sends or deletes. Only the content that the person has read can be sent. */
function Decision({ draft, changed, alone }: CardProps) {
  const { draft_id: draftId, content_hash: hash, status } = draft;
  const [open, setOpen] = useKept<"reject" | "delete" | "edit" | null>(`decision ${draftId}`, null);
  const [busy, setBusy] = useState(false);
  const done = (decided: boolean) => {
    reloadAttention().catch(() => {}).finally(() => changed(decided));
  };
  const keys = (shortcut: string) => alone ? { "aria-keyshortcuts": shortcut } : {};
  const act = async (run: () => Promise<Sent>, told: (outcome: string) => string) => {
    setBusy(true);
    try {
      say(told(words.compose.outcome(await run())));
      done(true);
    } catch (error) {
      // A conflict that no reading solves has no details.
      const isStale = error instanceof ApiError && error.status === 409 &&
        Object.keys(error.details).length > 0;
      if (isStale) say(text.changedSince, { bad: true });
      else sayProblem(error);
      done(false);
    } finally {
      setBusy(false);
    }
  };
  if (!openStatuses.includes(status)) return null;
  if (!may("update_draft")) {
    const { role } = account.value ?? {};
    return alone && role ? <p class="muted draft-note">{text.mayNotDecide(role)}</p> : null;
  }
  const mayEdit = !draft.as_it_came &&
    may(status === "pending_approval" ? "update_draft" : "update_draft_that_does_not_wait");
  return (
    <footer class="card-foot">
      {mayEdit && (
        <button
          type="button"
          class="button edit"
          onClick={() => setOpen("edit")}
          {...keys("e")}
        >
          {text.edit}
        </button>
      )}
      {status === "pending_approval" && may("approve_draft") && (
        <>
          <button
            type="button"
            class="button"
            onClick={() => setOpen("reject")}
            {...keys("Shift+R")}
          >
            {text.reject}
          </button>
          <button
            type="button"
            class="button primary"
            disabled={busy}
            onClick={() => void act(() => drafts.approve(draftId, hash), text.approved)}
            {...keys("Shift+A")}
          >
            {text.approve}
          </button>
        </>
      )}
      {status !== "pending_approval" && may("delete_draft") && (
        <button
          type="button"
          class="button"
          onClick={() => setOpen("delete")}
        >
          {status === "scheduled" ? text.cancelSending : words.mail.delete}
        </button>
      )}
      {status === "draft" && may("send_draft") && (
        <button
          type="button"
          class="button primary"
          disabled={busy}
          onClick={() => void act(() => drafts.send(draftId, hash), (outcome) => outcome)}
        >
          {words.compose.send}
        </button>
      )}
      {open === "reject" && (
        <RejectDialog
          draftId={draftId}
          onClose={() => setOpen(null)}
          onDone={() => done(true)}
        />
      )}
      {open === "edit" && (
        <EditDialog
          draft={draft}
          onClose={() => setOpen(null)}
          onDone={() => done(false)}
        />
      )}
      {open === "delete" && (
        <Confirm
          title={text.deleteTitle}
          text={text.deleteText}
          label={status === "scheduled" ? text.cancelSending : words.mail.delete}
          onConfirm={() =>
            drafts.delete(draftId).then(() => {
              say(status === "scheduled" ? text.sendingCanceled : text.deleted);
              done(true);
            })}
          onClose={() => setOpen(null)}
        />
      )}
    </footer>
  );
}

function RejectDialog(
  { draftId, onClose, onDone }: { draftId: string; onClose: () => void; onDone: () => void },
) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    await drafts.reject(draftId, String(form.get("reason") ?? "").trim());
    say(text.rejected);
    onClose();
    onDone();
  }, ["reason"]);
  return (
    <Dialog title={text.rejectTitle} onClose={onClose} keepAs={`reason ${draftId}`}>
      <form onSubmit={submit}>
        <Field label={text.reason} hint={text.reasonHint} error={errors.reason}>
          <textarea name="reason" rows={3} maxLength={1_000} />
        </Field>
        <FormFoot onClose={onClose} label={text.reject} error={errors.form} busy={busy} danger />
      </form>
    </Dialog>
  );
}
