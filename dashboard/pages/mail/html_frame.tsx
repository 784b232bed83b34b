import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { Problem } from "../../parts/small.tsx";
import { words } from "../../words.ts";

/** A message that is longer than this, in CSS px, has its own scroll bar. */
const highest = 20_000;

/**
 * The HTML of a message as a separate document with its own policy. The frame has this origin, so that the page can
 * read its size and its keys. It runs no scripts: never add `allow-scripts` to `allow-same-origin`.
 */
export function HtmlFrame({ path, query = {} }: { path: string; query?: Record<string, string> }) {
  const [remote, setRemote] = useState(false);
  const [blocked, setBlocked] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  const [height, setHeight] = useState(240);
  const frame = useRef<HTMLIFrameElement>(null);
  const watch = useRef<ResizeObserver | null>(null);
  useEffect(() => () => watch.current?.disconnect(), []);
  const loaded = () => {
    const inside = frame.current?.contentDocument;
    if (inside?.contentType !== "text/html") return setFailure(failureOf(inside));
    if (!inside.body) return;
    setBlocked(Number(inside.body.dataset.blockedImages ?? 0));
    const measure = () => {
      const { scrollHeight, clientHeight } = inside.documentElement;
      // The border, and the scroll bar of a message that is too wide.
      const around = frame.current ? frame.current.offsetHeight - clientHeight : 0;
      // The document is never lower than the frame, its body is.
      const content = scrollHeight > clientHeight ? scrollHeight : heightOf(inside.body);
      setHeight(Math.min(highest, content + around));
    };
    measure();
    watch.current?.disconnect();
    watch.current = new ResizeObserver(measure);
    watch.current.observe(inside.body);
    inside.addEventListener("keydown", handOn);
  };
  const asked = new URLSearchParams({ ...query, ...remote ? { images: "remote" } : {} });
  if (failure) return <Problem error={failure} again={() => setFailure(null)} />;
  return (
    <div class="html">
      {blocked > 0 && !remote && (
        <p class="notice">
          <Icon name="shield" size={16} />
          <span>{words.thread.blocked(blocked)}</span>
          <button type="button" class="button small" onClick={() => setRemote(true)}>
            {words.thread.loadOnce}
          </button>
        </p>
      )}
      <iframe
        ref={frame}
        title={words.thread.frame}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        src={asked.size > 0 ? `${path}?${asked}` : path}
        style={{ height: `${height}px` }}
        onLoad={loaded}
      />
    </div>
  );
}

/** With its margins, and with what is placed beyond its box. */
function heightOf(body: HTMLElement): number {
  const { marginTop, marginBottom } = getComputedStyle(body);
  return Math.ceil(body.scrollHeight + parseFloat(marginTop) + parseFloat(marginBottom));
}

/** Why the frame has no message: it shows the service's refusal, or, of another origin, the browser's own page. */
function failureOf(inside: Document | null | undefined): Error {
  try {
    return new Error(JSON.parse(inside!.body.textContent!).error.message);
  } catch {
    return new Error(words.problem.offline);
  }
}

/** Shortcuts work with focus inside the frame too. */
function handOn(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
  if (isComposing) return;
  const held = { ctrlKey, metaKey, altKey, shiftKey };
  document.dispatchEvent(new KeyboardEvent("keydown", { key, ...held, bubbles: true }));
}
