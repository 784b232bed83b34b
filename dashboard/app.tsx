import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Sidebar } from "./sidebar.tsx";
import { liveState, startLive } from "./live.ts";
import { freshCount } from "./mail_list.ts";
import { KeyTable } from "./parts/key_table.tsx";
import { Icon } from "./parts/icon.tsx";
import { PageHead, Problem, Skeleton } from "./parts/small.tsx";
import { SignIn } from "./pages/sign_in.tsx";
import { go, path } from "./router.ts";
import { emails } from "./resources.ts";
import { overlay, sayProblem, signedIn, toast } from "./state.ts";
import { words } from "./words.ts";

type Page = { default: ComponentType };

/** A page is loaded when it is opened first. */
const pages: Record<string, () => Promise<Page>> = {
  mail: () => import("./pages/mail.tsx"),
  search: () => import("./pages/search.tsx"),
  drafts: () => import("./pages/drafts.tsx"),
  arrivals: () => import("./pages/arrivals.tsx"),
  webhooks: () => import("./pages/webhooks.tsx"),
  keys: () => import("./pages/keys.tsx"),
  domains: () => import("./pages/domains.tsx"),
  usage: () => import("./pages/usage.tsx"),
  mailboxes: () => import("./pages/mailboxes.tsx"),
};
const loaded = new Map<string, ComponentType>();

/** The dashboard: the sign-in, or the shell with a page. */
export function App() {
  const [page = "mail"] = path.value;
  // Read here, not in the effect: a signal is followed by what reads it while it renders.
  const count = freshCount.value > 0 ? `(${freshCount.value}) ` : "";
  const title = `${count}${words.pages[page] ?? words.brand} · ${words.brand}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (signedIn.value === undefined) return <Boot />;
  if (!signedIn.value) return <SignIn onSignedIn={startLive} />;
  return (
    <div class={`shell ${overlay.value === "menu" ? "menu-open" : ""}`}>
      <a class="skip" href="#main">{words.skip}</a>
      <Bar />
      <Sidebar page={page} />
      <main id="main" tabIndex={-1}>
        {liveState.value === "away" && <p class="offline" role="status">{words.problem.away}</p>}
        <PageOf name={page} />
      </main>
      {overlay.value === "menu" && (
        <button
          type="button"
          class="shade"
          aria-label={words.closeMenu}
          onClick={() => overlay.value = null}
        />
      )}
      {overlay.value === "keys" && <KeyTable onClose={() => overlay.value = null} />}
      {overlay.value === "compose" && <Lazy load={() => import("./pages/compose.tsx")} />}
      <ToastLine />
    </div>
  );
}

/** The first paint, as the HTML has it. */
function Boot() {
  return (
    <div class="boot" aria-hidden="true">
      <div class="boot-side" />
      <div class="boot-list" />
    </div>
  );
}

/** On a phone, in place of the side bar. */
function Bar() {
  const turn = () => overlay.value = overlay.value === "menu" ? null : "menu";
  return (
    <header class="bar">
      <button
        type="button"
        class="icon-button"
        aria-label={words.menu}
        aria-expanded={overlay.value === "menu"}
        onClick={turn}
      >
        <Icon name="menu" size={20} />
      </button>
      <a class="brand" href="/app/mail/all">
        <span class="mark" aria-hidden="true" />
        {words.brand}
      </a>
      <a class="icon-button push" href="/app/search" aria-label={words.pages.search}>
        <Icon name="search" size={20} />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={words.mail.write}
        onClick={() => overlay.value = "compose"}
      >
        <Icon name="pen" size={20} />
      </button>
    </header>
  );
}

function PageOf({ name }: { name: string }) {
  if (name === "email") return <OneEmail emailId={path.value[1]} />;
  const load = pages[name];
  if (!load) {
    return (
      <div class="page">
        <PageHead title={words.problem.noPage}>
          <a class="button" href="/app/mail/all">{words.problem.toMail}</a>
        </PageHead>
      </div>
    );
  }
  return <Lazy key={name} name={name} load={load} />;
}

/** A component from a module of its own. */
function Lazy({ name, load }: { name?: string; load: () => Promise<Page> }) {
  const [Found, setFound] = useState<ComponentType | null>(() => loaded.get(name ?? "") ?? null);
  const [error, setError] = useState<Error | null>(null);
  const start = () => {
    setError(null);
    load().then(({ default: component }) => {
      if (name) loaded.set(name, component);
      setFound(() => component);
    }, () => setError(new Error(words.problem.offline)));
  };
  useEffect(() => {
    if (!Found) start();
  }, []);
  if (Found) return <Found />;
  if (!name) return null;
  return <div class="page">{error ? <Problem error={error} again={start} /> : <Skeleton />}</div>;
}

/** A link by email alone leads to its conversation. */
function OneEmail({ emailId }: { emailId: string }) {
  useEffect(() => {
    emails.get(emailId).then(
      ({ mailbox_id, thread_id }) =>
        go(`/app/mail/${mailbox_id}/t/${thread_id}`, { replace: true }),
      sayProblem,
    );
  }, [emailId]);
  return (
    <div class="page">
      <Skeleton />
    </div>
  );
}

function ToastLine() {
  const now = toast.value;
  if (!now) return null;
  return (
    <div class={`toast ${now.bad ? "bad" : ""}`} role={now.bad ? "alert" : "status"}>
      <span>{now.text}</span>
      {now.action && <button type="button" onClick={now.action.run}>{now.action.label}</button>}
    </div>
  );
}
