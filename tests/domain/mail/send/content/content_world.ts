import { account, data, mailbox, testService } from "../../../../service.ts";

/** A service, an account with a mailbox, and its calls. */
export async function world() {
  const test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await test.request(`/v1/api${path}`, { method, json, token: owner.key });
    return { status: answer.status, body: await answer.json() };
  };
  const send = async (fields: Record<string, unknown>, path = "/emails/send") => {
    const to = path === "/emails/send" ? { mailbox_id: box.mailbox_id, to: "ann@one.example" } : {};
    const { body } = await call("POST", path, { ...to, body_text: "Hello.", ...fields });
    return body;
  };
  const raw = async (emailId: string) =>
    await (await test.request(`/v1/api/emails/${emailId}/raw`, { token: owner.key })).text();
  const get = (path: string) => data(test.request(`/v1/api${path}`, { token: owner.key }));
  return {
    test,
    owner,
    box,
    call,
    send,
    raw,
    get,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** The value of a field of a message, unfolded. */
export function field(raw: string, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
}
