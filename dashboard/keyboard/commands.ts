// The actions of keys, independent of the page: see shortcuts.ts.

/** After `g`. */
const destinations: Readonly<Record<string, string>> = {
  i: "/app/mail/all",
  a: "/app/arrivals",
  w: "/app/webhooks",
  c: "/app/apps",
  k: "/app/keys",
  d: "/app/domains",
  u: "/app/usage",
};
export interface KeyPress {
  key: string;
  /** Ctrl, Meta or Alt is held, or an input method is active: not a key of the dashboard. */
  modified: boolean;
  /** In a text field, where letters are text. */
  inText: boolean;
  inDialog: boolean;
  /** On an element that Enter activates by itself. */
  onControl: boolean;
}

/** Where the dashboard is when a key is pressed. */
export interface Place {
  inMail: boolean;
  inThread: boolean;
  /** On the page of one draft that waits. */
  inWaiting: boolean;
  hasSelection: boolean;
  walking: boolean;
  /** `g` came just before. */
  afterG: boolean;
}

export type Command =
  | { name: "go"; to: string }
  | {
    name: "next" | "previous" | "open" | "back" | "reply" | "forward" | "write" | "help" | "prefix";
  }
  | { name: "press"; shortcut: string }
  | { name: "select" | "selectRange" | "selectNone" | "delete" | "markRead" | "markUnread" };

/** The `aria-keyshortcuts` of what a key presses on the page of a draft that waits. */
const onWaiting: Readonly<Record<string, string>> = {
  j: "j",
  k: "k",
  e: "e",
  A: "Shift+A",
  R: "Shift+R",
};

/** The action of a key; null if the dashboard does not use the key. */
export function commandOf(press: KeyPress, place: Place): Command | null {
  if (press.modified || press.inText || press.inDialog) return null;
  if (place.afterG && destinations[press.key]) return { name: "go", to: destinations[press.key] };
  const anywhere: Record<string, Command> = {
    "?": { name: "help" },
    "/": { name: "go", to: "/app/search" },
    c: { name: "write" },
    g: { name: "prefix" },
  };
  if (anywhere[press.key]) return anywhere[press.key];
  if (place.inWaiting) {
    if (press.key === "Escape" || press.key === "u") return { name: "go", to: "/app/drafts" };
    const shortcut = onWaiting[press.key];
    return shortcut ? { name: "press", shortcut } : null;
  }
  if (!place.inMail) return null;
  const inMail: Record<string, Command["name"] | false> = {
    j: "next",
    k: "previous",
    x: "select",
    X: "selectRange",
    "#": "delete",
    Enter: (place.walking || !press.onControl) && "open",
    r: place.inThread && "reply",
    f: place.inThread && "forward",
    u: "markUnread",
    I: "markRead",
    Escape: place.inThread ? "back" : place.hasSelection && "selectNone",
  };
  const name = inMail[press.key];
  return name ? { name } as Command : null;
}
