import type { BouncedRecipient } from "./delivery_report.ts";

/** What is read of the text. The recipients come before the copy of the mail. */
const maxChars = 20_000;

/**
 * Words with which mail hosts that write no RFC 3464 say that they have given up, above the recipients: qmail, Exim, Postfix,
 * sendmail, Exchange, Gmail, Yahoo and IMail. A warning that a mail is late has none of them.
 */
const announcement = new RegExp(
  [
    "this is a permanent error",
    "had permanent fatal errors",
    "could not be delivered to one or more",
    "recipient\\(s\\) could not be reached",
    "failed permanently",
    "unable to deliver your message to the following",
    "unable to deliver message to the following",
  ].join("|").replaceAll(" ", "[ \\r\\n]{1,4}"),
  "i",
);

/** The address with which a line begins, in brackets or quotes or bare. */
const addressLine = /^[ \t]{0,20}[<'"]?([^\s<>()"',;:@]{1,64}@[^\s<>()"',;:@]{1,255})[>'"]?:?(.*)$/;

/** A code of RFC 3463; an IP address has none. */
const failureCode = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/**
 * The recipients to whom a message in plain text says that it could not be delivered; none if it does not say so in the words
 * of a mail host.
 *
 * @param failed the field `X-Failed-Recipients` of Exim and others, or null
 */
export function plainBounce(text: string, failed: string | null): BouncedRecipient[] {
  const front = text.slice(0, maxChars);
  const said = announcement.exec(front);
  const found = said ? recipientsIn(front.slice(said.index + said[0].length)) : [];
  const named = (failed ?? "").split(/[\s,]+/).filter((each) => each.includes("@")).slice(0, 100)
    .map((address) => address.replace(/^<|>$/g, ""));
  const missing = named.filter((address) =>
    !found.some(({ addresses }) => addresses[0] === address)
  );
  return [...found, ...missing.map((address) => bounced(address, front))];
}

/** Up to the line of dashes above the copy of the mail. */
function recipientsIn(text: string): BouncedRecipient[] {
  const found: { address: string; reason: string[] }[] = [];
  for (const line of text.split(/\r?\n/).slice(1)) {
    if (/^\s{0,9}--/.test(line)) break;
    const [, address, rest] = addressLine.exec(line.slice(0, 1_000)) ?? [];
    if (address !== undefined) found.push({ address, reason: [rest] });
    else found.at(-1)?.reason.push(line);
  }
  return found.slice(0, 100).map(({ address, reason }) => bounced(address, reason.join(" ")));
}

function bounced(address: string, reason: string): BouncedRecipient {
  return {
    addresses: [address],
    outcome: "permanent",
    status: failureCode.exec(reason)?.[0] ?? null,
    diagnostic: reason.replace(/\s+/g, " ").trim().slice(0, 500) || null,
  };
}
