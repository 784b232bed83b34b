import { createKvIndex } from "../../adapters/search_index/kv_postings.ts";
import * as keys from "../../domain/store/keys.ts";
import { account, deliver, mailbox, message, testService } from "../service.ts";
import { type Costs, costsOf, inTurn } from "./counts.ts";
import { RemoteKv } from "./remote_kv.ts";

/** What an operation may wait for in turn, warm: rows of its account were read or written lately. */
export const mostInTurn = {
  acknowledgement: 2,
  "acknowledgement with webhooks": 2,
  list: 2,
  "list of a mailbox": 2,
  "list of a mailbox with two filters": 2,
  "list of a label": 2,
  "list of a conversation": 3,
  mailboxes: 1,
  changes: 2,
  get: 2,
  raw: 2,
  "search of one word": 3,
  "search of seven words": 3,
  thread: 4,
  send: 3,
  reply: 4,
  login: 3,
  credential: 1,
};

export type OperationName = keyof typeof mostInTurn;

export interface RoundTrips extends Costs {
  inTurn: number;
  ms: number;
}

/**
 * Measures the operations of the table on a service over the stand-in, with the latencies of a hosted database. Each is
 * run several times, and the run that waited least counts: now and then a run also reserves requests of a rate window.
 */
export async function measureRoundTrips(
  { rounds }: { rounds: number },
): Promise<Record<OperationName, RoundTrips>> {
  await using remote = new RemoteKv({ readMs: [5, 15], writeMs: [20, 40] });
  await using test = await testService({
    remote,
    instances: 1,
    ownParts: ({ database }) => ({ searchIndex: createKvIndex(database, keys) }),
  });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const token = owner.key;
  let serial = 0;
  const arrive = async () => {
    const n = serial++;
    const fields = { Subject: `Invoice ${n}`, "Message-ID": `<m${n}@example.net>` };
    const text = `The invoice ZX-${n} of our order with some words about delivery.`;
    const { email_id, disposition } = await deliver(
      test,
      box.email_address,
      message(fields, text),
    );
    if (disposition !== "accepted") throw new Error(`the mail was ${disposition}`);
    return email_id;
  };
  const ask = async (path: string, init: Parameters<typeof test.request>[1] = { token }) => {
    const answer = await test.request(path, init);
    const body = await answer.bytes();
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${new TextDecoder().decode(body)}`);
    return body;
  };
  const search = (query: string) => ask("/v1/api/search", { token, json: { query } });
  const post = (path: string, to: Record<string, unknown>) =>
    ask(path, { token, json: { ...to, body_text: `Text ${serial++}` } });
  const measured: Partial<Record<OperationName, RoundTrips>> = {};
  const measure = async (name: OperationName, run: () => Promise<unknown>, between = () => {}) => {
    for (let round = 0; round <= rounds; round++) {
      between();
      remote.clear();
      const from = performance.now();
      await run();
      const until = performance.now();
      const calls = remote.calls.filter(({ to }) => to <= until);
      const found = { ...costsOf(calls), inTurn: inTurn(calls), ms: until - from };
      await test.settle();
      // The first run warms.
      if (round > 0 && !(found.inTurn >= (measured[name]?.inTurn ?? Infinity))) {
        measured[name] = found;
      }
    }
  };
  const emailId = await arrive();
  await test.settle();
  const one = `/v1/api/emails/${emailId}`;
  const { data } = JSON.parse(new TextDecoder().decode(await ask(one)));
  await ask(one, { token, method: "PATCH", json: { add_labels: ["seen"] } });
  await measure("acknowledgement", arrive);
  await measure("list", () => ask("/v1/api/emails"));
  const ofMailbox = `/v1/api/emails?mailbox_id=${box.mailbox_id}`;
  await measure("list of a mailbox", () => ask(ofMailbox));
  await measure(
    "list of a mailbox with two filters",
    () => ask(`${ofMailbox}&is_read=false&from=ada`),
  );
  await measure("list of a label", () => ask("/v1/api/emails?label=seen"));
  await measure("list of a conversation", () => ask(`/v1/api/emails?thread_id=${data.thread_id}`));
  await measure("mailboxes", () => ask("/v1/api/mailboxes"));
  await measure("changes", () => ask("/v1/api/changes"));
  await measure("get", () => ask(one));
  await measure("raw", () => ask(`${one}/raw`));
  await measure("search of one word", () => search("invoice"));
  await measure(
    "search of seven words",
    () => search("invoice order ZX-1 ZX-2 words delivery our"),
  );
  await measure("thread", () => ask(`/v1/api/threads/${data.thread_id}`));
  const to = { mailbox_id: box.mailbox_id, to: ["ada@example.net"], subject: "Hello" };
  await measure("send", () => post("/v1/api/emails/send", to));
  await measure("reply", () => post(`${one}/reply`, {}));
  const { email, password } = owner;
  await measure("login", () => ask("/api/auth/login", { json: { email, password } }));
  const { credentials } = test.service;
  const key = { kind: "key", secret: token } as const;
  await measure("credential", () => credentials.callerOf(key, true));
  const hook = { url: "http://127.0.0.1:9/", events: ["email.received"] };
  await ask("/v1/api/webhooks", { token, json: hook });
  await measure("acknowledgement with webhooks", arrive);
  return measured as Record<OperationName, RoundTrips>;
}
