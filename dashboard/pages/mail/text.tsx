import { useState } from "preact/hooks";
import { shortUrl } from "../../format.ts";
import type { FullEmail } from "../../types.ts";
import { words } from "../../words.ts";

/** The text that the agent reads. Quoted text is folded. */
export function Text({ email }: { email: FullEmail }) {
  const [quoted, setQuoted] = useState(false);
  const own = email.body_new_text.trim(), all = email.body_text.trim();
  const folds = own !== "" && own.length < all.length;
  const shown = folds && !quoted ? own : all;
  return (
    <>
      {shown === "" ? <p class="muted">{words.thread.noText}</p> : (
        <div class="text">
          <Linked text={shown} />
        </div>
      )}
      {folds && (
        <button
          type="button"
          class="quote-toggle"
          aria-expanded={quoted}
          onClick={() => setQuoted(!quoted)}
        >
          {quoted ? words.thread.hideQuoted : words.thread.showQuoted}
        </button>
      )}
    </>
  );
}

/** Plain text with clickable links, made of text nodes: nothing of a mail is set as HTML here. */
function Linked({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"')\]]+)/g);
  return (
    <>
      {parts.map((part, n) =>
        n % 2 === 0 ? part : (
          <a
            key={n}
            href={part}
            title={part}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {shortUrl(part)}
          </a>
        )
      )}
    </>
  );
}
