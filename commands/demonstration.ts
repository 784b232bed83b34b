import { dirname, join } from "node:path";
import { perform } from "../domain/core/operation.ts";
import { createMailbox } from "../domain/mailboxes/create_mailbox.ts";
import type { Service } from "../domain/core/service.ts";
import * as keys from "../domain/store/keys.ts";
import { createApiKey } from "../domain/accounts/api_keys.ts";
import { register } from "../domain/accounts/auth.ts";

const email = "demo@example.com";

/**
 * For `dev` alone: inbound tokens kept in a file beside the database, and at the first start an account with
 * a key and a mailbox, so that the first curl needs no preparation. Answers what is to be printed, once.
 */
export async function prepareDemonstration(service: Service): Promise<string> {
  const { settings } = service;
  settings.INBOUND_TOKENS ??= [await inboundToken(service)];
  const [token] = settings.INBOUND_TOKENS;
  const base = settings.BASE_URL;
  if (await service.entries.get(keys.mark("demonstration"))) return `\nLetterbox is up: ${base}\n`;
  const password = service.ids.bytes(12).toBase64({ alphabet: "base64url" });
  const user = await perform(register, service, { clientAddress: "" }, {
    email,
    password,
    name: "Demonstration",
  });
  const caller = { userId: user.userId, plan: "free" as const };
  const key = await perform(createApiKey, service, caller, { name: "demonstration" });
  const mailbox = await perform(createMailbox, service, caller, {
    local_part: "agent-demo",
    domain: settings.SHARED_DOMAINS[0],
  });
  await service.entries.transact((tx) => tx.set(keys.mark("demonstration"), service.clock.now()));
  return `
Letterbox is up: ${base}
This is shown once; it is a demonstration account on this machine:

  login           ${email}  ${password}
  API key         ${key.apiKey}
  mailbox         ${mailbox.email_address}
  inbound token   ${token}

Deliver a mail to it, then find it:

  curl -s ${base}/inbound/raw -H 'Authorization: Bearer ${token}' -H 'Content-Type: message/rfc822' \\
    -H 'X-Envelope-To: ${mailbox.email_address}' -H 'X-Envelope-From: ada@example.net' \\
    --data-binary $'From: Ada <ada@example.net>\\r\\nSubject: Hello\\r\\n\\r\\nThe order number is ZX-48213.\\r\\n'

  curl -s ${base}/v1/api/search -H 'Authorization: Bearer ${key.apiKey}' -H 'Content-Type: application/json' \\
    -d '{"query": "order ZX-48213"}'
`;
}

async function inboundToken(service: Service): Promise<string> {
  const path = join(dirname(service.settings.KV_PATH ?? ".data/letterbox.sqlite"), "inbound_token");
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const token = `lbxi_${service.ids.bytes(24).toBase64({ alphabet: "base64url" })}`;
  await Deno.writeTextFile(path, `${token}\n`, { mode: 0o600 });
  return token;
}
