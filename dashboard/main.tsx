import { render } from "preact";
import { App } from "./app.tsx";
import { ApiError, whenSignedOut } from "./client.ts";
import { listen, startLive, stopLive } from "./live.ts";
import { forgetList, refreshList } from "./mail_list.ts";
import { go, path, startRouter } from "./router.ts";
import { flushDeletion } from "./selection.ts";
import { startShortcuts } from "./keyboard/shortcuts.ts";
import { loadShell, reloadMailboxes, say, signedIn } from "./state.ts";
import { startTheme } from "./theme.ts";

startTheme();
startRouter();
startShortcuts();
addEventListener("pagehide", flushDeletion);
whenSignedOut(() => {
  stopLive();
  forgetList();
  signedIn.value = false;
});
listen((changes) => {
  // A failure shows in the state of the stream; the screen stays as it is.
  refreshList(changes).catch(() => {});
  const counted = changes === null ||
    changes.some(({ event }) => /^mailbox\.|received$|deleted$/.test(event));
  if (counted) reloadMailboxes().catch(() => {});
});
if (path.value.length === 0) go("/app/mail/all", { replace: true });
render(<App />, document.getElementById("app")!);
loadShell().then(startLive, (error) => {
  if (signedIn.value === undefined) signedIn.value = false;
  if (error instanceof ApiError && error.status !== 401) say(error.message, { bad: true });
});
