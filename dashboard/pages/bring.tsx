import { useState } from "preact/hooks";
import { begin, forget, goOn, isRunning, type Run, run, stop } from "./bring/run.ts";
import { bytes, number } from "../format.ts";
import { Field, useSubmit } from "../parts/form.tsx";
import { FileButton } from "../parts/files.tsx";
import { MailboxChoice } from "../parts/mailbox_choice.tsx";
import { movingWords } from "../parts/moving_words.ts";
import { Bar, PageHead, Problem, Table } from "../parts/small.tsx";
import { query } from "../router.ts";
import { mailboxes, mailboxOf, may } from "../state.ts";
import { words } from "../words.ts";
import { guideWords } from "./mail/guide_words.ts";

const text = movingWords.bring;

/** Brings mail of other programs and services: choose files, watch them come, see what came. */
export default function BringPage() {
  const now = run.value;
  return (
    <div class="page">
      <PageHead title={words.pages.bring} lead={text.lead} />
      {!may("import_email") && <p class="muted">{text.notYours}</p>}
      {may("import_email") && (now ? <Progress run={now} /> : <Choose />)}
    </div>
  );
}

function Choose() {
  const [files, setFiles] = useState<File[]>([]);
  const { errors, busy, submit } = useSubmit((form) => {
    if (files.length === 0) throw new Error(text.noFile);
    void begin({
      files,
      mailboxId: String(form.get("mailbox")),
      include: new Set(form.getAll("include") as ("spam" | "trash" | "drafts" | "chats")[]),
    });
    return Promise.resolve();
  });
  if (mailboxes.value.length === 0) return <p class="muted">{guideWords.noMailboxLead}</p>;
  return (
    <form class="card bring" onSubmit={submit}>
      <DropPlace files={files} choose={setFiles} />
      <Field label={text.into}>
        <MailboxChoice name="mailbox" chosen={query.value.get("mailbox") ?? undefined} />
      </Field>
      <fieldset class="choices">
        <legend>{text.include}</legend>
        <div class="grid">
          {text.unwanted.map(([name, label]) => (
            <label key={name} class="check">
              <input type="checkbox" name="include" value={name} />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {errors.form && <p class="field-error" role="alert">{errors.form}</p>}
      <button type="submit" class="button primary" aria-disabled={busy}>{text.begin}</button>
    </form>
  );
}

/** Takes files that are dropped on it; buttons choose files or a folder. */
function DropPlace({ files, choose }: { files: File[]; choose: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const size = files.reduce((sum, each) => sum + each.size, 0);
  return (
    <div
      class={`drop ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose([...event.dataTransfer?.files ?? []]);
      }}
    >
      <p role="status">
        {files.length === 0 ? text.drop : text.chosen(files.length, files[0].name, bytes(size))}
      </p>
      <p class="muted">{text.kinds}</p>
      <p class="moves">
        <FileButton icon="inbox" label={text.files} choose={choose} />
        <FileButton icon="inbox" label={text.folder} choose={choose} folder />
      </p>
    </div>
  );
}

function Progress({ run: its }: { run: Run }) {
  const { state, failure, total, position, counts } = its;
  const share = state === "done" ? 1 : total > 0 ? Math.min(1, position / total) : 0;
  const percent = Math.floor(share * 100);
  const address = mailboxOf(its.mailboxId)?.email_address ?? "";
  const taken = counts.accepted + counts.duplicates;
  return (
    <section class="card bring">
      <h2>{text.title(its.source.name || text.several, address)}</h2>
      <p role="status">{text.states[state]}</p>
      <div
        role="progressbar"
        aria-label={words.pages.bring}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <Bar width={100 * share} />
      </div>
      <p class="muted num">
        {text.progress(percent, number(taken))}
        {isRunning.value && ` · ${paceOf(its)}`}
      </p>
      {failure && <Problem error={failure} />}
      <p class="moves">
        {state === "running" && (
          <button type="button" class="button" onClick={stop}>{text.stop}</button>
        )}
        {(state === "stopped" || state === "failed") && (
          <button
            type="button"
            class="button primary"
            onClick={() => void goOn()}
          >
            {text.goOn}
          </button>
        )}
        {!isRunning.value && (
          <button type="button" class="button" onClick={forget}>{text.another}</button>
        )}
        {state === "done" && <a class="button" href={`/app/mail/${its.mailboxId}`}>{text.see}</a>}
      </p>
      {its.folders.length > 0 && <Folders run={its} />}
      {its.refused.length > 0 && (
        <>
          <h3>{text.refusedTitle}</h3>
          <ul class="reasons">
            {its.refused.map(({ name, reason }, n) => <li key={n}>{name}: {reason}</li>)}
          </ul>
        </>
      )}
    </section>
  );
}

/** How fast it goes, and how long it will take. */
function paceOf({ total, position, since }: Run): string {
  const seconds = Math.max(1, (Date.now() - since.at) / 1_000);
  const rate = Math.max(0, position - since.position) / seconds;
  const left = rate > 0 ? Math.ceil((total - position) / rate) : null;
  return text.pace(bytes(Math.round(rate)), left);
}

function Folders({ run: { folders } }: { run: Run }) {
  const { folder, accepted, duplicates, leftOut, refused } = text.columns;
  return (
    <Table
      heads={[folder, [accepted, "end"], [duplicates, "end"], [leftOut, "end"], [refused, "end"]]}
    >
      {folders.map(([name, counts]) => (
        <tr key={name}>
          <td data-label={folder} class="names">{name}</td>
          <td data-label={accepted} class="end num">{number(counts.accepted)}</td>
          <td data-label={duplicates} class="end num">{number(counts.duplicates)}</td>
          <td data-label={leftOut} class="end num">{number(counts.leftOut)}</td>
          <td data-label={refused} class="end num">{number(counts.refused)}</td>
        </tr>
      ))}
    </Table>
  );
}
