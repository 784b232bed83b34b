// The English texts of the pages that bring mail and take it away; see words.ts.
export const movingWords = {
  bring: {
    lead: "Mail of other programs and services, with its folders, its dates and what was read.",
    notYours: "Your role in this account may not bring mail.",
    drop: "Drop a file here",
    kinds:
      "mbox, .eml, Google Takeout, a Maildir, an export of Letterbox, and .zip or .tgz of these",
    files: "Choose files",
    folder: "Choose a folder",
    chosen: (n: number, first: string, size: string) =>
      n === 1 ? `${first}, ${size}` : `${n.toLocaleString("en")} files, ${size}`,
    noFile: "Choose a file or a folder first.",
    into: "Into the mailbox",
    include: "Bring these too",
    unwanted: [
      ["spam", "Spam"],
      ["trash", "Trash"],
      ["drafts", "Drafts"],
      ["chats", "Chats"],
    ] as [string, string][],
    begin: "Bring mail",
    title: (name: string, address: string) => `${name} to ${address}`,
    several: "Several files",
    states: {
      running: "On its way. It goes on while you look at other pages.",
      stopping: "Stopping…",
      stopped: "Stopped",
      done: "All is here",
      failed: "It broke off",
    },
    progress: (percent: number, taken: string) => `${percent} % · ${taken} mails`,
    pace: (rate: string, left: number | null) => {
      if (left === null) return `${rate} a second`;
      const rest = left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`;
      return `${rate} a second · ${rest} left`;
    },
    stop: "Stop",
    goOn: "Go on",
    another: "Bring something else",
    see: "See the mail",
    columns: {
      folder: "Folder",
      accepted: "Accepted",
      duplicates: "Duplicates",
      leftOut: "Left out",
      refused: "Refused",
    },
    refusedTitle: "What was refused",
  },
  takeAway: {
    title: "Take it with you",
    lead:
      "All mail of a mailbox as one file, with its labels and what was read. “Bring mail” reads it, here or at another Letterbox.",
    mailbox: "Mailbox",
    download: "Download",
  },
};
