import type { TestAccount, TestService } from "../../../../service.ts";

/** An answer with its body. */
export interface Answer {
  status: number;
  // deno-lint-ignore no-explicit-any -- tests look at whatever came back
  body: any;
}

export async function call(
  test: TestService,
  token: string,
  method: string,
  path: string,
  json?: unknown,
): Promise<Answer> {
  const answer = await test.request(path, { method, token, json });
  return { status: answer.status, body: await answer.json() };
}

/** The `data` of an answer. Throws for a failure. */
export async function given(answer: Promise<Answer>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Calls of one account: as its agent, by a key, and as a person, by a session. */
export function callsOf(test: TestService, owner: TestAccount) {
  return {
    agent: (method: string, path: string, json?: unknown) =>
      call(test, owner.key, method, `/v1/api${path}`, json),
    person: (method: string, path: string, json?: unknown) =>
      call(test, owner.accessToken, method, `/v1/api${path}`, json),
    policy: (mailboxId: string, json: unknown) =>
      given(call(test, owner.accessToken, "PUT", `/v1/api/mailboxes/${mailboxId}/policy`, json)),
    sentMails: async () =>
      (await given(call(test, owner.key, "GET", "/v1/api/emails?direction=outbound&limit=100")))
        .length as number,
    /** The events of all changes, in order. */
    changes: async () =>
      (await given(call(test, owner.key, "GET", "/v1/api/changes?limit=500")))
        .map(({ event }: { event: string }) => event) as string[],
  };
}
