import assert from "node:assert/strict";
import { bounded } from "../../../../eventually.ts";
import { account, mailbox, testService } from "../../../../service.ts";
import { callsOf, given } from "./approvals.ts";

/** A store whose commits are durable at once, while their answers can be held up. */
function slowAnswers(kv: Deno.Kv) {
  const durable = Promise.withResolvers<void>(), missed = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let isHeld = false;
  const getMany: Deno.Kv["getMany"] = async (keys, options) => {
    const found = await kv.getMany(keys, options);
    const rows = found as Deno.KvEntryMaybe<unknown>[];
    if (rows.some(({ key, value }) => key[0] === "blob_chunks" && value === null)) missed.resolve();
    return found;
  };
  async function* list(...question: Parameters<Deno.Kv["list"]>) {
    let isEmpty = true;
    for await (const row of kv.list(...question)) {
      isEmpty = false;
      yield row;
    }
    const [{ prefix }] = question as [{ prefix?: Deno.KvKey }];
    if (isEmpty && prefix?.[0] === "blob_chunks") missed.resolve();
  }
  const slow = (operation: Deno.AtomicOperation): Deno.AtomicOperation =>
    new Proxy(operation, {
      get(target, name) {
        if (name !== "commit") {
          const method = Reflect.get(target, name);
          return (...given: unknown[]) => (method.apply(target, given), slow(target));
        }
        return async () => {
          const result = await target.commit();
          if (isHeld) {
            durable.resolve();
            await answered.promise;
          }
          return result;
        };
      },
    });
  const store = new Proxy(kv, {
    get(_kv, name) {
      if (name === "atomic") return () => slow(kv.atomic());
      if (name === "getMany") return getMany;
      if (name === "list") return list;
      const value = Reflect.get(kv, name);
      return typeof value === "function" ? value.bind(kv) : value;
    },
  });
  return {
    store,
    hold() {
      isHeld = true;
      return { [Symbol.dispose]: () => answered.resolve() };
    },
    release: () => answered.resolve(),
    durable: durable.promise,
    /** Somebody looked for the chunk of a blob that is not there. */
    missed: missed.promise,
  };
}

const calls = [
  { what: "read", method: "GET", path: "", status: 200 },
  { what: "changed", method: "PATCH", path: "", json: { subject: "later" }, status: 200 },
  { what: "sent", method: "POST", path: "/send", json: {}, status: 201 },
  { what: "canceled", method: "DELETE", path: "", status: 200 },
];

for (const { what, method, path, json, status } of calls) {
  Deno.test(`a draft can be ${what} while a change of it is durable and not answered yet`, async () => {
    const kv = await Deno.openKv(":memory:");
    const slow = slowAnswers(kv);
    {
      await using test = await testService({ kv: slow.store });
      const owner = await account(test);
      const { mailbox_id } = await mailbox(test, owner);
      const { agent } = callsOf(test, owner);
      const mail = { mailbox_id, to: "ann@one.example", body_text: "x" };
      const { draft_id } = await given(agent("POST", "/drafts", mail));
      const draft = `/drafts/${draft_id}`;
      // Its content is not in memory any more.
      await agent("GET", draft);
      using _ = slow.hold();
      const changing = agent("PATCH", draft, { body_text: "y" });
      await bounded("the change is durable", slow.durable);
      const answering = agent(method, draft + path, json);
      await bounded("the former content is looked for", slow.missed);
      slow.release();
      const answer = await answering;
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.equal((await changing).status, 200);
    }
    kv.close();
  });
}
