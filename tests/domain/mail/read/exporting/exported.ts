import { createHash } from "node:crypto";
import {
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
} from "../../../../service.ts";

// deno-lint-ignore no-explicit-any -- lines of an export
export type Line = any;

export const shaOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function asked(
  test: TestService,
  token: string,
  mailboxId: string,
  query = "",
): Promise<Response> {
  return test.request(`/v1/api/mailboxes/${mailboxId}/export${query}`, { token });
}

export async function linesOf(answer: Response | Promise<Response>): Promise<Line[]> {
  const text = await (await answer).text();
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

export async function exported(test: TestService, token: string, mailboxId: string, query = "") {
  const lines = await linesOf(asked(test, token, mailboxId, query));
  const { next_cursor } = lines.pop()!;
  return {
    subjects: lines.map(({ email }) => email.subject),
    next: next_cursor as string | null,
    lines,
  };
}

/** A mailbox with `count` mails, the subjects of which are 1, 2 and so on. */
export async function filled(test: TestService, owner: TestAccount, count: number) {
  const box = await mailbox(test, owner);
  for (let n = 1; n <= count; n++) {
    await deliver(test, box.email_address, message({ Subject: `${n}` }, `Body ${n}\r\n`));
    test.clock.advance(1);
  }
  await test.advance(1_000);
  return box;
}
