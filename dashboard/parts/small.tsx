import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, quotaOf } from "../client.ts";
import { longTime, quotaText, shortTime } from "../format.ts";
import { say } from "../state.ts";
import { words } from "../words.ts";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "ok" | "bad" | "wait" | "plain";

/** A state in one or two words. */
export function Tag({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <span class={`tag ${tone}`}>
      <span class="cap">{children}</span>
    </span>
  );
}

/** A button that copies. `bare`: an icon whose name is `label`. */
export function Copy(
  { text, label = words.copy, bare = false }: { text: string; label?: string; bare?: boolean },
) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    } catch {
      say(words.problem.noCopy, { bad: true });
    }
  };
  const icon = done ? "check" : "copy";
  if (bare) return <IconButton icon={icon} size={15} label={label} hint onClick={copy} />;
  return (
    <button type="button" class="button small" onClick={copy}>
      <Icon name={icon} size={15} />
      <span aria-live="polite">{done ? words.copied : label}</span>
    </button>
  );
}

/** A button that shows an icon. Its name is `label`, which with `hint` a mouse shows too. */
export function IconButton(
  { icon, size = 16, label, hint, ...more }:
    & {
      icon: IconName;
      size?: number;
      label: string;
      hint?: boolean;
    }
    & Pick<
      JSX.IntrinsicElements["button"],
      "onClick" | "aria-controls" | "aria-expanded" | "aria-keyshortcuts"
    >,
) {
  const title = hint ? label : undefined;
  return (
    <button type="button" class="icon-button" aria-label={label} title={title} {...more}>
      <Icon name={icon} size={size} />
    </button>
  );
}

/** A table with its heads: `end` stands at the right, `sr` is for screen readers only. */
export function Table(
  { heads, class: name, children }: {
    heads: (string | [text: string, kind: "end" | "sr"])[];
    class?: string;
    children: ComponentChildren;
  },
) {
  return (
    <div class="table-wrap">
      <table class={name}>
        <thead>
          <tr>
            {heads.map((each) => [each].flat()).map(([text, kind]) => (
              <th key={text} class={kind === "end" ? kind : undefined}>
                {kind === "sr" ? <span class="sr">{text}</span> : text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Text for a terminal or a file, with a button that copies it. */
export function Code({ text, title }: { text: string; title: string }) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        <Copy text={text} />
      </figcaption>
      <pre tabIndex={0} aria-label={title}><code>{text}</code></pre>
    </figure>
  );
}

/** A page without rows: what it is for, and the next step. */
export function Empty(
  { icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren },
) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A failure inside the page: the service's message, and a button to try again. */
export function Problem({ error, again }: { error: Error; again?: () => void }) {
  const left = useSecondsLeft(error);
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      <QuotaOf error={error} />
      {left > 0 && <p>{words.problem.tryIn(left)}</p>}
      {again && (
        <button type="button" class="button small" onClick={again}>
          <Icon name="again" size={15} />
          {words.tryAgain}
        </button>
      )}
    </div>
  );
}

/** The use of the quota that a refusal names, and a link to the plan. */
export function QuotaOf({ error }: { error: Error }) {
  const quota = quotaOf(error);
  if (!quota) return null;
  const { used, limit } = quota;
  const part = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <div class={`mini meter ${part >= 1 ? "full" : ""}`}>
      <a href="/app/usage">{quotaText(used, limit)}</a>
      <Bar width={100 * part} />
    </div>
  );
}

/** Counts down the time that a refusal named. */
function useSecondsLeft(error: Error): number {
  const wait = error instanceof ApiError ? error.retryAfter ?? 0 : 0;
  const [left, setLeft] = useState(wait);
  useEffect(() => {
    setLeft(wait);
    if (wait === 0) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

/** Shown instead of rows that are still loading. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={words.loading}>
      {Array.from({ length: rows }, (_, n) => <div key={n} class="skeleton-row" />)}
    </div>
  );
}

/** A short time; pointing at it shows it in full. */
export function Time({ at, class: name }: { at: string | null; class?: string }) {
  if (!at) return <span class={name}>{words.never}</span>;
  return <time class={name} dateTime={at} title={longTime(at)}>{shortTime(at)}</time>;
}

/** "g i" are two keys after each other. */
export function Keys({ text }: { text: string }) {
  return <>{text.split(" ").map((key, n) => <kbd key={n}>{key}</kbd>)}</>;
}

/** The head of a page: its name, what it is for, its actions. */
export function PageHead(
  { title, lead, children }: {
    title: string;
    lead?: ComponentChildren;
    children?: ComponentChildren;
  },
) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      <div class="page-actions">{children}</div>
    </header>
  );
}

/** The used share of a quota; amber from 80 %, red when it is used up. */
export function Meter(
  { label, used, limit, show }: {
    label: string;
    used: number;
    limit: number | null;
    show: (n: number) => string;
  },
) {
  const part = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = part >= 1 ? "full" : part >= 0.8 ? "near" : "";
  const width = used > 0 && limit !== null ? Math.max(part * 100, 1.5) : 0;
  return (
    <section class={`meter ${tone}`}>
      <h2>{label}</h2>
      <p class="meter-number">
        <strong>{show(used)}</strong>{" "}
        <span class="muted">{limit === null ? words.noLimit : words.of(show(limit))}</span>
      </p>
      {limit !== null && <Bar width={width} label={words.percentUsed(Math.round(part * 100))} />}
      {part >= 1 && <p class="meter-note">{words.plan.usedUp}</p>}
      {part >= 0.8 && part < 1 && <p class="meter-note">{words.plan.nearlyUsedUp}</p>}
    </section>
  );
}

/** A bar from 0 to 100. Without a label screen readers skip it, because the text next to it has the number. */
export function Bar({ width, label }: { width: number; label?: string }) {
  const named = label ? { role: "img" as const, "aria-label": label } : { "aria-hidden": true };
  return (
    <svg class="bar-track" viewBox="0 0 100 6" preserveAspectRatio="none" {...named}>
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={width} height="6" />
    </svg>
  );
}
