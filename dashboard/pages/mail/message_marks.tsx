import { useState } from "preact/hooks";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { IconButton } from "../../parts/small.tsx";
import { deleteWithUndo, update } from "../../selection.ts";
import { may, sayProblem } from "../../state.ts";
import type { FullEmail } from "../../types.ts";
import { closeThread } from "../../mail_navigation.ts";
import { words } from "../../words.ts";
import { lazy } from "../../parts/lazy.tsx";
import { LabelDialog } from "./selection_bar.tsx";

const Forward = lazy(async () => (await import("./forward.tsx")).Forward);

const verdictIcons = {
  pass: "shieldCheck",
  fail: "warning",
  none: "shield",
  error: "shield",
} as const satisfies Record<string, IconName>;

/** Who really sent it, its labels, and its actions. */
export function MessageMarks({ email, changed }: { email: FullEmail; changed: () => void }) {
  const [labelling, setLabelling] = useState(false);
  const [forwarding, setForwarding] = useState(false);
  const { labels, is_read: isRead } = email;
  const text = words.mail;
  return (
    <div class="marks">
      {email.direction === "inbound" && <Verdict email={email} />}
      {email.automated && <span class="chip">{words.thread.automated}</span>}
      {labels.map((label) => (
        <a
          key={label}
          class="chip label"
          href={`/app/mail/all?label=${encodeURIComponent(label)}`}
          aria-label={words.mail.showLabel(label)}
        >
          {label}
        </a>
      ))}
      <span class="marks-actions">
        {may("forward_email") && (
          <IconButton
            icon="forward"
            label={words.thread.forward}
            aria-keyshortcuts="f"
            hint
            onClick={() => setForwarding(true)}
          />
        )}
        {may("update_email") && (
          <>
            {email.direction === "inbound" && (
              <IconButton
                icon={isRead ? "mailShut" : "mailOpen"}
                label={isRead ? text.markUnread : text.markRead}
                hint
                onClick={() =>
                  void update([email.email_id], { is_read: !isRead }).then(changed, sayProblem)}
              />
            )}
            <IconButton icon="tag" label={text.labels} hint onClick={() => setLabelling(true)} />
          </>
        )}
        {may("delete_email") && (
          <IconButton
            icon="trash"
            label={text.deleteMessage}
            hint
            onClick={() => {
              deleteWithUndo([email.email_id]);
              closeThread();
            }}
          />
        )}
      </span>
      {forwarding && <Forward email={email} onClose={() => setForwarding(false)} />}
      {labelling && (
        <LabelDialog
          emailIds={[email.email_id]}
          present={labels}
          onClose={() => setLabelling(false)}
          onDone={changed}
        />
      )}
    </div>
  );
}

/** Shown by words and shape, not only by colour. */
function Verdict({ email }: { email: FullEmail }) {
  const { auth } = email;
  const verdict = auth?.verdict ?? null;
  const name = verdict ?? "none";
  const detail = auth && `SPF ${auth.spf}, DKIM ${auth.dkim}, DMARC ${auth.dmarc}`;
  return (
    <span class={`verdict verdict-${name}`} title={detail ?? undefined}>
      <Icon name={verdictIcons[name]} size={15} />
      {verdict === null ? words.verdict.checking : words.verdict[verdict]}
      {verdict === "pass" && auth?.domain && <span class="muted">{auth.domain}</span>}
    </span>
  );
}
