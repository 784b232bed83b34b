import { MailboxChoice } from "../../parts/mailbox_choice.tsx";
import { movingWords } from "../../parts/moving_words.ts";
import { mailboxFile } from "../../resources.ts";
import { mailboxes, may } from "../../state.ts";

const text = movingWords.takeAway;

/** Downloads a mailbox as a file, which the browser writes to the disk while it comes. */
export function TakeAway() {
  if (!may("download_mailbox") || mailboxes.value.length === 0) return null;
  const download = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const link = document.createElement("a");
    link.href = mailboxFile(String(form.get("mailbox")));
    link.download = "";
    link.click();
  };
  return (
    <section class="card">
      <header class="card-head">
        <h2>{text.title}</h2>
      </header>
      <p class="card-lead muted">{text.lead}</p>
      <form class="take-away" onSubmit={download}>
        <label>
          <span class="sr">{text.mailbox}</span>
          <MailboxChoice name="mailbox" />
        </label>
        <button type="submit" class="button">{text.download}</button>
      </form>
    </section>
  );
}
