import { useEffect, useRef, useState } from "preact/hooks";
import { AttachButton, AttachedFiles, useFiles } from "../../parts/files.tsx";
import { ConfirmAddress } from "../../parts/confirm_address.tsx";
import { emails } from "../../resources.ts";
import { messageOf, say } from "../../state.ts";
import { forgetUnsent, isUnsent, sendOnce, unsentOf } from "../../unsent.ts";
import { words } from "../../words.ts";

/** Writes in the agent's name, in the conversation: an answer to the message that was the newest when it was begun. */
export function Reply(
  { emailId, name, done }: {
    emailId: string;
    /** Under which it is kept until it is sent. */
    name: string;
    done: () => void;
  },
) {
  const unsent = useRef(unsentOf(name)).current;
  const [answered] = useState(() => {
    // Also if another message arrives meanwhile: its author is somebody else.
    if (!isUnsent(name)) unsent.fields.answered = emailId;
    return unsent.fields.answered ?? emailId;
  });
  const [text, setText] = useState(unsent.fields.text ?? "");
  const [toAll, setToAll] = useState(unsent.fields.toAll === "true");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const files = useFiles(unsent);
  const box = useRef<HTMLTextAreaElement>(null);
  // State is only as new as the last paint: two clicks before the next one must not make two requests.
  const sending = useRef(false);
  useEffect(() => {
    box.current?.focus();
    // With its buttons.
    box.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const discard = () => {
    forgetUnsent(name);
    done();
  };
  const send = async () => {
    if (!text.trim() || sending.current) return;
    sending.current = true;
    setBusy(true);
    try {
      const given = { body_text: text, reply_all: toAll, ...await files.attachments() };
      const sent = await sendOnce(unsent, (idempotency_key) => {
        return emails.reply(answered, { ...given, idempotency_key });
      });
      say(words.compose.outcome(sent));
      discard();
    } catch (failed) {
      setError(messageOf(failed as Error));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    done();
  };
  return (
    <form
      class="reply"
      aria-label={words.thread.reply}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ConfirmAddress />
      <textarea
        ref={box}
        rows={5}
        dir="auto"
        value={text}
        aria-label={words.thread.yourReply}
        placeholder={words.thread.replyHint}
        onInput={(event) => setText(unsent.fields.text = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <AttachedFiles files={files} />
      {error && <p class="field-error" role="alert">{error}</p>}
      <footer>
        <label class="check">
          <input
            type="checkbox"
            checked={toAll}
            onChange={({ currentTarget: { checked } }) => {
              unsent.fields.toAll = String(checked);
              setToAll(checked);
            }}
          />
          {words.thread.replyAll}
        </label>
        <AttachButton files={files} />
        <span class="push muted small-text">{words.thread.sendKey}</span>
        <span class="reply-actions">
          <button type="button" class="button" onClick={discard}>{words.cancel}</button>
          <button type="submit" class="button primary" disabled={busy || !text.trim()}>
            {busy ? words.compose.sending : words.compose.send}
          </button>
        </span>
      </footer>
    </form>
  );
}
