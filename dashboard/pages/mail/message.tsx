import { useState } from "preact/hooks";
import { bytes, hue, initial, shownName } from "../../format.ts";
import { Downloads } from "../../parts/downloads.tsx";
import { Copy, Problem, Skeleton, Tag, Time, type Tone } from "../../parts/small.tsx";
import type { FullEmail, ThreadItem } from "../../types.ts";
import { HtmlFrame } from "./html_frame.tsx";
import { MessageMarks } from "./message_marks.tsx";
import { People } from "./people.tsx";
import { useMarkRead } from "./mark_read.ts";
import { SeenBy } from "./seen_by.tsx";
import { Text } from "./text.tsx";
import { Icon } from "../../parts/icon.tsx";
import { emails } from "../../resources.ts";
import { getText } from "../../client.ts";
import { useLoad } from "../../parts/load.ts";
import { words } from "../../words.ts";

interface MessageProps {
  item: ThreadItem;
  opens: boolean;
  newest: boolean;
  changed: () => void;
}

/** A message of a conversation: its head, and if it is open its body. */
export function Message({ item, opens, newest, changed }: MessageProps) {
  const [open, setOpen] = useState(opens);
  const [chosen, setView] = useState<View | null>(null);
  const { data, error, reload } = useLoad(
    () => open ? emails.get(item.email_id) : Promise.resolve(null),
    [open, item],
  );
  useMarkRead(data, item);
  // HTML as its sender meant it; a mail without it has only text.
  const view = chosen ?? (data && data.body_html !== null ? "html" : "text");
  const isOwn = item.direction === "outbound";
  const classes = ["message", open ? "open" : "", isOwn ? "own" : "", newest ? "newest" : ""];
  return (
    <li class={classes.join(" ")}>
      <MessageHead item={item} email={data} open={open} turn={() => setOpen(!open)} />
      {open && error && !data && <Problem error={error} again={reload} />}
      {open && !error && !data && <Skeleton rows={2} />}
      {open && data && (
        <>
          <Views email={data} view={view} setView={setView} />
          <div class="message-body">
            <People email={data} />
            <MessageMarks
              email={data}
              changed={() => {
                reload();
                changed();
              }}
            />
            <NotDelivered email={data} />
            {data.direction === "inbound" && <Finds emailId={data.email_id} />}
            {view === "text" && <Text email={data} />}
            {view === "html" && <HtmlFrame path={`/api/emails/${data.email_id}/html`} />}
            {view === "seen" && <SeenBy emailId={data.email_id} />}
            {view === "source" && <Source emailId={data.email_id} />}
            <Attachments email={data} />
          </div>
        </>
      )}
    </li>
  );
}

const toneOf: Record<string, Tone> = { sent: "ok", stored: "plain", partial: "bad", failed: "bad" };

function MessageHead(
  { item, email, open, turn }: {
    item: ThreadItem;
    email: FullEmail | null;
    open: boolean;
    turn: () => void;
  },
) {
  const name = item.from_name || item.from || words.mail.noSender;
  const status = email?.status ?? item.status;
  return (
    <button type="button" class="message-head" aria-expanded={open} onClick={turn}>
      <span class={`avatar hue-${hue(item.from)}`} aria-hidden="true">{initial(name)}</span>
      <span class="message-who">
        <span class="name">
          <span class="cut-name" dir="auto">{name}</span>
          {item.direction === "outbound" && <Tag>{words.thread.yourAgent}</Tag>}
          {status && <Tag tone={toneOf[status] ?? "wait"}>{words.status[status] ?? status}</Tag>}
        </span>
        <span class="muted" dir={open ? undefined : "auto"}>
          {open ? words.thread.toWhom(item.to.join(", ")) : item.body_text_snippet}
        </span>
      </span>
      {!open && item.has_attachments && (
        <span class="row-clip" role="img" aria-label={words.mail.hasAttachments}>
          <Icon name="clip" size={14} />
        </span>
      )}
      <Time at={item.date} />
    </button>
  );
}

type View = "text" | "html" | "source" | "seen";

function Views(
  { email, view, setView }: {
    email: FullEmail;
    view: View;
    setView: (view: View) => void;
  },
) {
  const views: View[] = [
    "text",
    ...email.body_html === null ? [] : ["html" as const],
    "source",
    "seen",
  ];
  const download = words.thread.download(bytes(email.size));
  return (
    <div class="views" role="group" aria-label={words.thread.showAs}>
      {views.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          title={name === "text" ? words.thread.textHint : undefined}
          onClick={() => setView(name)}
        >
          {words.thread.views[name]}
        </button>
      ))}
      <a
        href={`/api/emails/${email.email_id}/raw`}
        download={`${email.email_id}.eml`}
        aria-label={download}
        title={download}
      >
        .eml
      </a>
    </div>
  );
}

/** Why a message of the account has not reached a recipient. */
function NotDelivered({ email }: { email: FullEmail }) {
  const { notDelivered, triedAgain } = words.thread;
  const waits = (email.delivery ?? []).filter(({ status, response }) =>
    status === "failed" || (status === "queued" && response)
  );
  return (
    <>
      {waits.map(({ recipient, status, response }) => (
        <p key={recipient} class={status === "failed" ? "notice bad" : "notice"}>
          <Icon name={status === "failed" ? "warning" : "clock"} size={16} />
          <span>{(status === "failed" ? notDelivered : triedAgain)(recipient)} {response}</span>
        </p>
      ))}
    </>
  );
}

function Attachments({ email }: { email: FullEmail }) {
  const files = email.attachments.map(({ attachment_id, filename, content_type, size }) => ({
    href: `/api/emails/${email.email_id}/attachments/${attachment_id}`,
    filename: filename ?? attachment_id,
    shown: filename === null ? content_type : shownName(filename),
    size,
  }));
  return <Downloads files={files} />;
}

/** Codes and links of a mail, to copy. Uncertain ones are left out. */
function Finds({ emailId }: { emailId: string }) {
  const { data } = useLoad(() => emails.verification(emailId), [emailId]);
  if (!data || (data.best_code === null && data.best_link === null)) return null;
  const link = data.links.find(({ url }) => url === data.best_link);
  return (
    <ul class="finds" aria-label={words.finds.title}>
      {data.best_code !== null && (
        <li>
          <span class="muted">{words.finds.code}</span>
          <code class="find-code">{data.best_code}</code>
          <Copy bare text={data.best_code} label={words.finds.copyCode} />
        </li>
      )}
      {link && (
        <li>
          <Icon name="link" size={15} />
          <span class="muted">{words.finds.kinds[link.kind]}</span>
          <a href={link.url} target="_blank" rel="noopener noreferrer nofollow">{link.host}</a>
          <Copy bare text={link.url} label={words.finds.copyLink} />
        </li>
      )}
    </ul>
  );
}

/** A page shows at most this many characters of a message; the file has all of it. */
const shownLength = 200_000;

/** The original message. */
function Source({ emailId }: { emailId: string }) {
  const { data, error, reload } = useLoad(() => getText(`/api/emails/${emailId}/raw`), [emailId]);
  if (error) return <Problem error={error} again={reload} />;
  if (data === null) return <Skeleton rows={3} />;
  return (
    <>
      <pre class="source" tabIndex={0} aria-label={words.thread.views.source}>
        {data.slice(0, shownLength)}
      </pre>
      {data.length > shownLength && <p class="muted small-text">{words.thread.sourceCut}</p>}
    </>
  );
}
