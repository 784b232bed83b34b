import { isAscii } from "node:buffer";
import { signMessage } from "../../../mime/compose/dkim.ts";
import { isTaken, relayForm } from "../../../mime/compose/relay_form.ts";
import { rewritten, submittedHead } from "../../../mime/compose/submitted.ts";
import type { Service } from "../../core/service.ts";
import { signingKey } from "../../custom_domains/sending_domain.ts";
import type { Mailbox } from "../../mailboxes/mailbox.ts";
import type { OutgoingMessage } from "../../ports/mailer.ts";
import { bufferOf } from "../../../mime/text/buffer_of.ts";

/**
 * The bytes of a stored message as the mailer takes them. A message with bytes above 127 or long lines has another form for
 * a relay that does not take them; it is signed anew, because the change breaks every signature of DKIM.
 */
export function bytesForRelay(
  service: Service,
  { userId, domain }: Mailbox,
  raw: Uint8Array,
): Pick<OutgoingMessage, "raw" | "formFor"> {
  if (isTaken(raw, { eightBit: false })) return { raw };
  const changed = async (relay: { eightBit: boolean }) => {
    const form = relayForm(unsigned(raw), relay);
    const key = form && await signingKey(service, userId, domain);
    return form && key ? await signMessage(form, domain, key) : form;
  };
  return {
    raw,
    formFor: async (relay) => {
      const isFit = isTaken(raw, relay);
      if (isFit && hasAsciiHeader(raw)) return raw;
      const form = await service.largeMessageTurns.run(userId, () => changed(relay));
      // A relay may take what it does not announce: long lines, and a header beyond ASCII.
      return form ?? (relay.eightBit || isAscii(raw) ? raw : null);
    },
  };
}

function hasAsciiHeader(raw: Uint8Array): boolean {
  const end = bufferOf(raw).indexOf("\r\n\r\n");
  return isAscii(raw.subarray(0, end < 0 ? raw.length : end));
}

function unsigned(raw: Uint8Array): Uint8Array {
  const head = submittedHead(raw);
  return typeof head === "string"
    ? raw
    : rewritten(raw, head, (name) => name === "dkim-signature", {});
}
