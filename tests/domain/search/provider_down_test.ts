import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  inboundToken,
  mailbox,
  message,
  type TestService,
} from "../../service.ts";
import type { EmbeddingFault } from "../../adapters/embeddings/fake_embeddings.ts";
import { searchFor, semanticService } from "./semantic_service.ts";
import { bounded, eventually } from "../../eventually.ts";

/** Counts commits and reads of the database from now on. */
function countWork({ kv }: TestService) {
  const count = { commits: 0, reads: 0 };
  const { atomic, get, getMany } = kv;
  Object.assign(kv, {
    atomic: () => {
      const operation = atomic.call(kv);
      const { commit } = operation;
      operation.commit = () => (count.commits++, commit.call(operation));
      return operation;
    },
    get: (...args: Parameters<typeof get>) => (count.reads++, get.apply(kv, args)),
    getMany: (...args: Parameters<typeof getMany>) => (count.reads++, getMany.apply(kv, args)),
  });
  return count;
}

const faults: EmbeddingFault[] = [null, "down", "slow", "429", "nan"];

// SPEC: search.degraded
Deno.test("an arrival does the same work in every state of the embedding provider, and never calls it", async () => {
  const work: object[] = [];
  for (const fault of faults) {
    // One process, which does nothing else while arrivals are counted.
    await using service = await semanticService("embedded", { instances: 1 });
    const { test, embeddings } = service;
    const owner = await account(test);
    const box = await mailbox(test, owner);
    await deliver(test, box.email_address, message({ Subject: "Warm up" }));
    await test.settle();
    embeddings.fault = fault;
    await test.dispatcher.stop();
    const asked = embeddings.requests.length;
    const count = countWork(test);
    for (let n = 0; n < 5; n++) {
      const result = await deliver(test, box.email_address, message({ Subject: `Mail ${n}` }));
      assert.equal(result.disposition, "accepted");
    }
    assert.equal(embeddings.requests.length, asked);
    work.push({ ...count });
  }
  assert.ok((work[0] as { commits: number }).commits >= 5);
  for (const each of work) assert.deepEqual(each, work[0]);
});

// SPEC: search.degraded, search.pending
Deno.test("mail arrives and is found by lexical search while a request to the provider hangs", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  const owner = await account(test);
  const box = await mailbox(test, owner);
  embeddings.fault = "slow";
  await deliver(test, box.email_address, message({ Subject: "First" }, "An automobile."));
  // The hanging request of the first email's job.
  await eventually("it is sent", () => embeddings.requests.length > 0, test.log);
  for (let n = 0; n < 10; n++) {
    const answer = await test.request("/inbound/raw", {
      method: "POST",
      token: inboundToken,
      headers: { "content-type": "message/rfc822", "x-envelope-to": box.email_address },
      body: message({ Subject: `Mail ${n}` }, `Walrus ${n}.`),
    });
    assert.equal(answer.status, 200);
  }
  const { pending } = await searchFor(test, owner, "walrus");
  assert.equal(pending, 11);
  for (let found = 0; found < 10;) {
    const answer = await searchFor(test, owner, "walrus");
    assert.equal(answer.degraded, true);
    found = answer.total;
  }
  embeddings.fault = null;
});

Deno.test("who waits for a code from a sender gets it at once while the provider is down", async () => {
  await using service = await semanticService("embedded");
  const { test, embeddings } = service;
  embeddings.fault = "down";
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  const asked = { mailbox_id, from_domain: "example.net" };
  const { expectation_id } = await data(
    test.request("/v1/api/expectations", { token: owner.key, json: asked }),
  );
  const path = `/v1/api/expectations/${expectation_id}?timeout_seconds=60`;
  const answer = data(test.request(path, { token: owner.key }));
  await test.waiting(1);
  await deliver(test, email_address, message({ Subject: "Code" }, "Your code is 482913."));
  const { status, code } = await bounded("the code is there", answer, test.log);
  assert.deepEqual({ status, code }, { status: "matched", code: "482913" });
  // Its vectors are still to come.
  const { data: changes } = await (await test.request("/v1/api/changes", { token: owner.key }))
    .json();
  const events = changes.map(({ event }: { event: string }) => event);
  assert.deepEqual(events, ["mailbox.created", "email.received", "email.updated"]);
});
