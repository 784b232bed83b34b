import type { HostileKind } from "../message.ts";
import { hangWords } from "../planted_hang.ts";

/** Mail whose parsing takes longer than 5 s of work, because of its text or an attachment. */
export const unparsedKinds: HostileKind[] = [
  {
    name: "a text that is never parsed",
    before: `\n${hangWords}\n`,
    piece: "a line of text\n",
    hangs: true,
  },
  {
    name: "a part that is never parsed",
    before: `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\n` +
      `Content-Type: text/x-log; name=log.txt\n\n${hangWords}\n`,
    piece: "a line of text\n",
    after: "\n--b--\n",
    hangs: true,
  },
];
