import { isQuotedFrom } from "../archives/mbox_parts.ts";

const lineFeed = 0x0a;
const greaterThan = 0x3e;

/**
 * One message as an mbox entry (RFC 4155), in pieces of `raw` itself. Quoted as mboxrd: each line of any number of `>` and
 * then `From ` gets one more `>`, which reading removes. Ends with the empty line that separates entries.
 */
export function* mboxEntry(raw: Uint8Array, sender: string, at: Date): Generator<Uint8Array> {
  // A stranger chose the sender's address: a space or a line end in it would break the line.
  const who = /^[!-~]+$/.test(sender) ? sender : "MAILER-DAEMON";
  yield new TextEncoder().encode(`From ${who} ${asctime(at)}\n`);
  let written = 0;
  for (let line = 0; line < raw.length;) {
    if (isQuotedFrom(raw, line, 0)) {
      yield raw.subarray(written, line);
      yield Uint8Array.of(greaterThan);
      written = line;
    }
    const lf = raw.indexOf(lineFeed, line);
    line = lf < 0 ? raw.length : lf + 1;
  }
  yield raw.subarray(written);
  const ended = raw.length === 0 || raw[raw.length - 1] === lineFeed;
  yield Uint8Array.from(ended ? [lineFeed] : [lineFeed, lineFeed]);
}

/** `Fri Nov 20 10:00:00 2026`, UTC. */
function asctime(at: Date): string {
  const [day, date, month, year, time] = at.toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${date.padStart(2)} ${time} ${year}`;
}
