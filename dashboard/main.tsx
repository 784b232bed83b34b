import { render } from "preact";
import { App } from "./app.tsx";
import { whenSignedOut } from "./client.ts";
import { listen } from "./live.ts";
import { refreshList } from "./mail_list.ts";
import { go, path, startRouter } from "./router.ts";
import { flushDeletion } from "./selection.ts";
import { startShortcuts } from "./keyboard/shortcuts.ts";
import { reloadMailboxes } from "./state.ts";
import { startTheme } from "./theme.ts";
import { begin, followTabs, leave } from "./account.ts";

startTheme();
startRouter();
startShortcuts();
addEventListener("pagehide", () => void flushDeletion());
whenSignedOut(leave);
followTabs();
listen((changes) => {
  // A failure shows in the state of the stream; the screen stays as it is.
  refreshList(changes).catch(() => {});
  const counted = changes === null ||
    changes.some(({ event }) =>
      /^mailbox\.|^email\.(received|imported|updated|deleted)$/.test(event)
    );
  if (counted) reloadMailboxes().catch(() => {});
});
if (path.value.length === 0) go("/app/mail/all", { replace: true });
render(<App />, document.getElementById("app")!);
void begin();
