import { labelsOf } from "./labels.ts";
import { isUnwanted, type MailState } from "./mail_state.ts";
import { markOf } from "./marks.ts";

/** Where a file stands in a mail store, by its path. */
export interface Place {
  /** The names of its folder, from the root on; none for the inbox and for what was chosen itself. */
  folder: string[];
  /** Its part of a Maildir; null if it is in none. */
  maildir: "cur" | "new" | "tmp" | null;
}

/**
 * The place of a file: a Maildir (also with the folders of Maildir++ and with nested ones), or a folder of files. A file that
 * holds many messages is a folder itself: `asFolder`.
 */
export function placeOf(path: string, asFolder = false): Place {
  const names = path.split("/"), file = names.pop()!;
  const last = names.at(-1);
  const maildir = last === "cur" || last === "new" || last === "tmp" ? last : null;
  if (maildir) names.pop();
  if (asFolder && !maildir) names.push(file);
  // Google's own names; each message there has its labels.
  if (names[0] === "Takeout") return { folder: [], maildir };
  return { folder: names.flatMap(folderNames).filter((name) => !isRoot(name)), maildir };
}

/** `.A.B` of Maildir++ is the folder B in A; `A.sbd` of Thunderbird has the folders in A, `A.mbox` is A itself. */
function folderNames(name: string): string[] {
  if (!name.startsWith(".")) return [name.replace(/\.(?:sbd|mbox|mbx|mbs|mmdf|txt)$/i, "")];
  return name.slice(1).split(".").map(fromUtf7);
}

/** Names of the whole, not of a folder in it. */
function isRoot(name: string): boolean {
  return /^(?:\[gmail\]|\[google mail\]|maildir|mbox|)$/i.test(name) || markOf(name) === "inbox";
}

/** A folder's name in the UTF-7 of IMAP (RFC 3501, section 5.1.3): `Entw&APw-rfe`. */
function fromUtf7(name: string): string {
  return name.replace(/&([A-Za-z0-9+,]*)-/g, (whole, packed: string) => {
    if (packed === "") return "&";
    try {
      const bytes = atob(packed.replaceAll(",", "/"));
      let text = "";
      for (let at = 0; at + 1 < bytes.length; at += 2) {
        text += String.fromCharCode(bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1));
      }
      return text.toWellFormed();
    } catch {
      return whole;
    }
  });
}

/** What a folder says of its messages: a label, that they were sent, or that nobody wants them. */
export function folderState(folder: readonly string[]): MailState {
  const marks = folder.map(markOf);
  // "Papierkorb" is `trash` as "Trash" is.
  const names = folder.map((name, n) => marks[n] ?? name);
  return {
    receivedAt: null,
    isRead: null,
    direction: marks.includes("sent") ? "outbound" : null,
    labels: folder.length === 0 ? [] : labelsOf([names.join("/")]),
    unwanted: marks.filter(isUnwanted),
  };
}

/** The state in a Maildir (https://cr.yp.to/proto/maildir.html): the flags and the time in the file's name. */
export function maildirState(path: string, modifiedAt: number | null, place: Place): MailState {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(file)?.[1] ?? "";
  const seconds = /^(\d{9,10})(?!\d)/.exec(file)?.[1];
  const state = folderState(place.folder);
  const own = [
    ...flags.includes("F") ? ["flagged"] : [],
    ...flags.includes("R") ? ["answered"] : [],
  ];
  return {
    ...state,
    receivedAt: seconds ? Number(seconds) * 1_000 : modifiedAt,
    isRead: flags.includes("S"),
    ...withUnwanted(state, [
      ...flags.includes("T") ? ["trash" as const] : [],
      ...flags.includes("D") ? ["drafts" as const] : [],
    ], own),
  };
}

/** More labels and more reasons to leave a message out; each reason is a label, if it comes all the same. */
export function withUnwanted(
  state: MailState,
  more: MailState["unwanted"],
  labels: readonly string[],
): Pick<MailState, "labels" | "unwanted"> {
  const unwanted = [...new Set([...state.unwanted, ...more])];
  return { unwanted, labels: labelsOf([...more, ...labels, ...state.labels]) };
}
