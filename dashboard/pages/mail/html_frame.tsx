import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { words } from "../../words.ts";

/** A message that is longer than this, in CSS px, has its own scroll bar. */
const highest = 20_000;

/**
 * The HTML of a message as a separate document with its own policy. The frame has this origin, so that the page can
 * read its size and its keys. It runs no scripts: never add `allow-scripts` to `allow-same-origin`.
 */
export function HtmlFrame({ emailId }: { emailId: string }) {
  const [remote, setRemote] = useState(false);
  const [blocked, setBlocked] = useState(0);
  const [problem, setProblem] = useState(false);
  const [height, setHeight] = useState(240);
  const frame = useRef<HTMLIFrameElement>(null);
  const watch = useRef<ResizeObserver | null>(null);
  useEffect(() => () => watch.current?.disconnect(), []);
  const loaded = () => {
    const inside = frame.current?.contentDocument;
    if (!inside?.body) return;
    setBlocked(Number(inside.body.dataset.blockedImages ?? 0));
    setProblem(inside.body.dataset.problem !== undefined);
    const measure = () => setHeight(Math.min(highest, inside.documentElement.scrollHeight));
    measure();
    watch.current?.disconnect();
    watch.current = new ResizeObserver(measure);
    watch.current.observe(inside.body);
    inside.addEventListener("keydown", handOn);
  };
  return (
    <div class="html">
      {problem && <p class="notice">{words.thread.htmlProblem}</p>}
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
        src={`/api/emails/${emailId}/html${remote ? "?images=remote" : ""}`}
        style={{ height: `${height}px` }}
        onLoad={loaded}
      />
    </div>
  );
}

/** Shortcuts work with focus inside the frame too. */
function handOn(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
  if (isComposing) return;
  const held = { ctrlKey, metaKey, altKey, shiftKey };
  document.dispatchEvent(new KeyboardEvent("keydown", { key, ...held, bubbles: true }));
}
