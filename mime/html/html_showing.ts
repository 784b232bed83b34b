/** How the HTML of a message is shown. */
export interface HtmlShowing {
  /** Images of other hosts are loaded. */
  remoteImages: boolean;
  /** Where the attachments of the message are, with a final slash: `/api/emails/.../attachments/`. */
  attachmentBase: string;
}

/** The HTML of a message without scripts, loaded files and misleading links. */
export interface SafeHtml {
  html: string;
  /** Images of other hosts that were left out. */
  blockedImages: number;
  /** Why the HTML is not shown, in a sentence; else null. */
  problem: string | null;
}

export function refusedHtml(problem: string): SafeHtml {
  return { html: "", blockedImages: 0, problem };
}
