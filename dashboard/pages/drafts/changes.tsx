import { type Seen, seenOf } from "../../seen.ts";
import type { Draft } from "../../types.ts";
import { draftWords } from "./draft_words.ts";
import { words } from "../../words.ts";
import { differenceOf } from "./difference.ts";

const text = draftWords;
const names: Record<string, string> = {
  from: words.compose.from,
  to: words.compose.to,
  cc: words.compose.cc,
  bcc: words.compose.bcc,
  reply_to: words.thread.people.replyTo,
  subject: words.compose.subject,
  headers: text.headers,
  attachments: words.thread.attachments,
};

/** What is different from what this person has seen before. */
export function Changes({ seen, draft }: { seen: Seen; draft: Draft }) {
  const now = seenOf(draft);
  const facts = Object.keys(names).filter((name) => seen.facts[name] !== now.facts[name]);
  const isTextSame = seen.text === now.text, isHtmlSame = seen.html === now.html;
  return (
    <section class="changes" aria-label={text.changesTitle}>
      <h3>{text.changesTitle}</h3>
      {facts.map((name) => (
        <Change
          key={name}
          name={names[name]}
          before={seen.facts[name] ?? ""}
          after={now.facts[name]}
        />
      ))}
      {!isTextSame && <Change name={words.compose.text} before={seen.text} after={now.text} />}
      {!isHtmlSame && <p>{text.htmlChanged}</p>}
      {facts.length === 0 && isTextSame && isHtmlSame && <p>{text.hiddenChanged}</p>}
    </section>
  );
}

function Change({ name, before, after }: { name: string; before: string; after: string }) {
  const found = differenceOf(before, after);
  if (!found) return null;
  const { begin, removed, added, end } = found;
  return (
    <p dir="auto">
      <strong>{name}:</strong> {begin}
      {removed && <del aria-label={text.before}>{removed.trimEnd()}</del>}
      {removed && " "}
      {added && <ins aria-label={text.now}>{added}</ins>}
      {end}
    </p>
  );
}
