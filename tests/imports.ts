import { inboundToken, type TestService } from "./service.ts";

/** What an import answers for its recipient, or the error. */
export interface ImportResult {
  status: number;
  recipient?: string;
  disposition?: string;
  email_id: string;
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
}

/** Imports a message into a mailbox by a key or token; `state` by the names of the headers after `X-Import-`. */
export async function importMail(
  test: TestService,
  token: string,
  box: { mailbox_id: string },
  raw: string | Uint8Array,
  state: Record<string, string> = {},
): Promise<ImportResult> {
  return await resultOf(
    await test.request(`/v1/api/mailboxes/${box.mailbox_id}/import`, posted(token, raw, state)),
  );
}

/** The same by the inbound token. */
export async function importByToken(
  test: TestService,
  to: string,
  raw: string,
  state: Record<string, string> = {},
): Promise<ImportResult> {
  const { headers, ...post } = posted(inboundToken, raw, state);
  const envelope = { "x-envelope-to": to, "x-import": "1" };
  return await resultOf(
    await test.request("/inbound/raw", { ...post, headers: { ...headers, ...envelope } }),
  );
}

function posted(token: string, raw: string | Uint8Array, state: Record<string, string>) {
  const headers = Object.entries(state).map(([name, value]) => [`x-import-${name}`, value]);
  return {
    method: "POST",
    token,
    headers: { "content-type": "message/rfc822", ...Object.fromEntries(headers) },
    body: typeof raw === "string" ? raw : new Uint8Array(raw),
  };
}

async function resultOf(answer: Response): Promise<ImportResult> {
  const { data, error } = await answer.json();
  const [result] = data?.results ?? error.details?.results ?? [error];
  return { status: answer.status, ...result };
}
