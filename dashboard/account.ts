import { ApiError } from "./client.ts";
import { startLive, stopLive } from "./live.ts";
import { forgetList } from "./mail_list.ts";
import { session } from "./resources.ts";
import { askedBy, go } from "./router.ts";
import { forgetSeen } from "./seen.ts";
import { flushDeletion } from "./selection.ts";
import { account, beginFailure, forgetShell, loadShell, signedIn } from "./state.ts";

/** All tabs of a browser use one cookie. A tab that signs in sends its person's id to the others. */
const tabs = new BroadcastChannel("letterbox-account");

/** Shows the dashboard of the account whose cookie the browser has, else the sign-in, else the failure. */
export async function begin(): Promise<void> {
  beginFailure.value = null;
  try {
    await enter();
  } catch (error) {
    // After a 401 the sign-in is shown already.
    if (signedIn.value === undefined) beginFailure.value = error as Error;
  }
}

/**
 * Shows the dashboard of the account whose cookie the browser has, or leads back to the page that asked for the sign-in.
 * Throws ApiError.
 */
export async function enter(): Promise<void> {
  const page = askedBy.value;
  if (page !== null) {
    const { userId } = await session.account();
    tabs.postMessage(userId);
    location.replace(page);
    return;
  }
  await loadShell();
  tabs.postMessage(account.value!.memberId);
  startLive();
}

/** Shows the sign-in, and nothing of this account to whoever signs in next. */
export function leave(): void {
  stopLive();
  forgetList();
  forgetShell();
  signedIn.value = false;
}

/** Ends the session. Throws ApiError if the service did not end it: then the browser is still signed in. */
export async function signOut(): Promise<void> {
  await flushDeletion();
  await session.signOut().catch((error) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  });
  leave();
  forgetSeen();
  // Words of a search in the address say something about this account's mail.
  go("/app/", { replace: true });
}

/** Follows a sign-in in another tab: from then on the requests of this one are of that account too. */
export function followTabs(): void {
  tabs.addEventListener("message", ({ data: memberId }) => {
    // Undefined: this tab is asking already.
    if (signedIn.value === undefined) return;
    if (signedIn.value && account.value?.memberId === memberId) return;
    leave();
    signedIn.value = undefined;
    void begin();
  });
}
