import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Sidebar } from "./sidebar.tsx";
import { number } from "./format.ts";
import { liveState } from "./live.ts";
import { freshCount } from "./mail_list.ts";
import { Icon } from "./parts/icon.tsx";
import { lazy } from "./parts/lazy.tsx";
import { useLoad } from "./parts/load.ts";
import { IconButton, PageHead, Problem, Skeleton } from "./parts/small.tsx";
import { go, path } from "./router.ts";
import { emails } from "./resources.ts";
import { account, beginFailure, may, overlay, signedIn, toast, waitingDrafts } from "./state.ts";
import { begin } from "./account.ts";
import { words } from "./words.ts";

/** A page is loaded when it is first opened. */
const pageOf = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => (await load()).default, () => (
    <div class="page">
      <Skeleton />
    </div>
  ));

const pages: Record<string, ComponentType> = {
  mail: pageOf(() => import("./pages/mail.tsx")),
  search: pageOf(() => import("./pages/search.tsx")),
  waiting: pageOf(() => import("./pages/waiting.tsx")),
  drafts: pageOf(() => import("./pages/drafts.tsx")),
  arrivals: pageOf(() => import("./pages/arrivals.tsx")),
  webhooks: pageOf(() => import("./pages/webhooks.tsx")),
  apps: pageOf(() => import("./pages/apps.tsx")),
  keys: pageOf(() => import("./pages/keys.tsx")),
  domains: pageOf(() => import("./pages/domains.tsx")),
  usage: pageOf(() => import("./pages/usage.tsx")),
  mailboxes: pageOf(() => import("./pages/mailboxes.tsx")),
  bring: pageOf(() => import("./pages/bring.tsx")),
  people: pageOf(() => import("./pages/people.tsx")),
};
const ConfirmAddress = lazy(
  async () => (await import("./parts/confirm_address.tsx")).ConfirmAddress,
);
const Compose = lazy(async () => (await import("./pages/compose.tsx")).default);
const KeyTable = lazy(async () => (await import("./parts/key_table.tsx")).KeyTable);
const Join = lazy(async () => (await import("./pages/join.tsx")).Join);
// Nothing in its place would leave the first paint of the HTML above it.
const Reset = lazy(async () => (await import("./pages/reset.tsx")).Reset, Boot);
const SignIn = lazy(async () => (await import("./pages/sign_in.tsx")).SignIn);

/** The dashboard: the sign-in, or the shell with a page. */
export function App() {
  const [page = "mail"] = path.value;
  // Read here, not in the effect: a component follows only the signals that it reads while it renders.
  const count = freshCount.value > 0 ? `(${freshCount.value}) ` : "";
  const isReset = page === "reset";
  const name = page === "join"
    ? words.join.title
    : signedIn.value === false && !isReset
    ? words.signIn.title
    : words.pages[page] ?? words.brand;
  const title = `${count}${name} · ${words.brand}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (isReset) return <Reset />;
  if (signedIn.value === undefined) {
    const failure = beginFailure.value;
    return failure
      ? (
        <main class="sign-in">
          <h1>{words.brand}</h1>
          <Problem error={failure} again={() => void begin()} />
        </main>
      )
      : <Boot />;
  }
  if (page === "join") return <Join />;
  if (!signedIn.value) return <SignIn />;
  return (
    <div class={`shell ${overlay.value === "menu" ? "menu-open" : ""}`}>
      <a class="skip" href="#main">{words.skip}</a>
      <Bar />
      <Sidebar page={page} />
      <main id="main" tabIndex={-1} inert={overlay.value === "menu"}>
        {liveState.value === "away" && <p class="offline" role="status">{words.problem.away}</p>}
        {account.value?.mustConfirmEmail && <ConfirmAddress />}
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
      {overlay.value === "compose" && <Compose />}
      <ToastLine />
    </div>
  );
}

/** The first paint, the same as in the HTML. */
function Boot() {
  return (
    <div class="boot" aria-hidden="true">
      <div class="boot-side" />
      <div class="boot-list" />
    </div>
  );
}

/** On a phone, instead of the side bar. */
function Bar() {
  const turn = () => overlay.value = overlay.value === "menu" ? null : "menu";
  const waiting = waitingDrafts.value.ids.length;
  return (
    <header class="bar" inert={overlay.value === "menu"}>
      <IconButton
        icon="menu"
        size={20}
        label={words.menu}
        aria-controls="menu"
        aria-expanded={overlay.value === "menu"}
        onClick={turn}
      />
      <a class="brand" href="/app/mail/all">
        <span class="mark" aria-hidden="true" />
        {words.brand}
      </a>
      {waiting > 0 && (
        <a class="count fresh" href="/app/drafts" aria-label={words.glance.waiting(waiting)}>
          {number(waiting)}
        </a>
      )}
      <a class="icon-button push" href="/app/search" aria-label={words.pages.search}>
        <Icon name="search" size={20} />
      </a>
      {may("send_email") && (
        <IconButton
          icon="pen"
          size={20}
          label={words.mail.write}
          onClick={() => overlay.value = "compose"}
        />
      )}
    </header>
  );
}

function PageOf({ name }: { name: string }) {
  if (name === "email") return <OneEmail emailId={path.value[1]} />;
  const Page = pages[name];
  if (!Page) {
    return (
      <div class="page">
        <PageHead title={words.problem.noPage}>
          <a class="button" href="/app/mail/all">{words.problem.toMail}</a>
        </PageHead>
      </div>
    );
  }
  return <Page key={name} />;
}

/** A link that names only an email leads to its conversation. */
function OneEmail({ emailId }: { emailId: string }) {
  const { error, reload } = useLoad(async () => {
    const { mailbox_id, thread_id } = await emails.get(emailId);
    go(`/app/mail/${mailbox_id}/t/${thread_id}`, { replace: true });
  }, [emailId]);
  return (
    <div class="page">
      <PageHead title={words.pages.email} />
      {error ? <Problem error={error} again={reload} /> : <Skeleton />}
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
