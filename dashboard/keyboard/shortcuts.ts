import { signal } from "@preact/signals";
import { type Command, commandOf, type KeyPress, type Place } from "./commands.ts";
import { go, path } from "../router.ts";
import {
  cursor,
  deleteWithUndo,
  receivedTargets,
  selectNone,
  targets,
  toggle,
  update,
} from "../selection.ts";
import { may, overlay, sayProblem } from "../state.ts";
import { closeThread, keyboard, move, openRow, replying } from "../mail_navigation.ts";

/** The second key of a pair comes within this time. */
const pairMs = 1_200;

let prefixAt = 0;

export function startShortcuts(): void {
  document.addEventListener("pointerdown", () => keyboard.walking = false);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") keyboard.walking = false;
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const press = pressOf(event);
    if (typeAhead(press)) return event.preventDefault();
    const command = commandOf(press, placeNow());
    prefixAt = command?.name === "prefix" ? Date.now() : 0;
    if (!command) return;
    event.preventDefault();
    run(command);
  });
}

const textFields = "textarea, select, [contenteditable], " +
  "input:not([type=checkbox]):not([type=radio])";

function pressOf(event: KeyboardEvent): KeyPress {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    modified: event.ctrlKey || event.metaKey || event.altKey || event.isComposing,
    inText: Boolean(target?.closest(textFields)),
    inDialog: Boolean(document.querySelector("dialog[open]")),
    onControl: Boolean(target?.closest("a, button, summary, input")),
  };
}

function placeNow(): Place {
  const [page = "mail", , , threadId] = path.value;
  return {
    inMail: page === "mail",
    inThread: page === "mail" && threadId !== undefined,
    inWaiting: page === "waiting",
    hasSelection: targets().length > 0,
    walking: keyboard.walking,
    afterG: Date.now() - prefixAt < pairMs,
  };
}

function run(command: Command): void {
  if (command.name === "go") {
    if (command.to === "/app/search") beginTyping();
    return go(command.to);
  }
  if (command.name === "press") {
    return press(command.shortcut);
  }
  runs[command.name]();
}

/** Clicks the last control that names the shortcut: of several messages the newest one's. */
function press(shortcut: string): void {
  const all = document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${shortcut}"]`);
  all[all.length - 1]?.click();
}

function mark(isRead: boolean): void {
  const emailIds = receivedTargets();
  if (!may("update_email") || emailIds.length === 0) return;
  update(emailIds, { is_read: isRead }).catch(sayProblem);
}

const runs: Record<Exclude<Command["name"], "go" | "press">, () => void> = {
  next: () => move(1),
  previous: () => move(-1),
  open: openRow,
  back: closeThread,
  forward: () => press("f"),
  markRead: () => mark(true),
  markUnread() {
    mark(false);
    // Open, it would be read again.
    if (path.value[3] !== undefined) closeThread();
  },
  reply: () => replying.value = may("reply_email"),
  write() {
    if (may("send_email")) overlay.value = "compose";
  },
  help: () => overlay.value = "keys",
  select: () => toggle(cursor.value),
  selectRange: () => toggle(cursor.value, true),
  selectNone,
  delete() {
    if (!may("delete_email")) return;
    // Else the focus is lost with its row.
    keyboard.focusRow = path.value[3] === undefined;
    deleteWithUndo(targets());
  },
  prefix: () => {},
};

/** How often somebody wanted to search. */
export const searchesWanted = signal(0);

/** The search page is loaded within this time, or the letters are shortcuts again. */
const longestMs = 3_000;

let typed: string | null = null;
let beganAt = 0;

/** What is typed from now on, until the search box takes it, is for the box: it may still be on its way. */
function beginTyping(): void {
  typed = "";
  beganAt = Date.now();
  searchesWanted.value++;
}

/** Keeps a key for the search box; false if none is expected. */
function typeAhead({ key, modified, inText }: {
  key: string;
  modified: boolean;
  inText: boolean;
}): boolean {
  if (typed === null || inText || modified || Date.now() - beganAt > longestMs) return false;
  if (key.length !== 1) return false;
  typed += key;
  return true;
}

/** For the search box: what was typed before it was there. */
export function takeTyped(): string {
  const text = typed ?? "";
  typed = null;
  return text;
}
