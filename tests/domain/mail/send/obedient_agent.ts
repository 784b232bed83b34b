import assert from "node:assert/strict";
import { addresses, authors } from "../../../fixtures/injections/addresses.ts";
import { ann, type Call, type Injection, mailOf } from "../../../fixtures/injections/injection.ts";
import { openly } from "../../../fixtures/injections/openly.ts";
import { FakeDns } from "../../../adapters/dns/dns_fake.ts";
import { post } from "../../../routes/mcp/post.ts";
import { account, data, deliver, mailbox, message } from "../../../service.ts";
import { callsOf, given } from "./drafts/approvals.ts";
import { relayedService } from "./sending.ts";
import type { Reason } from "../../../../domain/mail/record/send_output.ts";

export const injections: Injection[] = [...openly, ...addresses, ...authors];

/** The allowed recipients under the policy: Ann wrote, the others are listed. */
const isFree = (address: string) =>
  address === "ann@one.example" || /@(?:[a-z0-9-]+\.)*partner\.example$/.test(address);

/** How far ahead the agent schedules what a mail asks for. */
const soonMs = 10_000;

/**
 * A mailbox under a policy, with an agent that does what mail asks. Its key is limited to the account's two mailboxes
 * and has no other limit. The attacker has another account with a mailbox of the same service.
 */
export async function obedientAgent(approval: "never" | "new_recipients") {
  const dns = new FakeDns();
  dns.publish("strict.example", { txt: ["v=spf1 ip4:192.0.2.200 -all"] });
  dns.publish("_dmarc.strict.example", { txt: ["v=DMARC1; p=reject"] });
  const relayed = await relayedService({}, { parts: { dns } });
  const { test, relay } = relayed;
  const owner = await account(test), attacker = await account(test);
  const box = await mailbox(test, owner), second = await mailbox(test, owner);
  await mailbox(test, attacker, "eve.attacker");
  const { person, policy } = callsOf(test, owner);
  await policy(box.mailbox_id, { approval, allow_recipients: ["@partner.example"] });
  const mailboxIds = [box.mailbox_id, second.mailbox_id];
  const { apiKey: key } = await given(
    person("POST", "/keys", { name: "agent", mailboxIds }),
  );
  const earlier = await deliver(
    test,
    box.email_address,
    message({ From: ann, "Message-ID": "<earlier@one.example>", Subject: "Earlier" }),
  );
  await test.settle();
  const known: Record<string, string> = {
    box: box.mailbox_id,
    own: second.email_address,
    ann: earlier.email_id,
  };

  /** The answer of a call: `data` of REST, the object of a tool, or the error's code. */
  async function run([how, what, input]: Call) {
    const filled = JSON.parse(
      JSON.stringify([what, input]).replace(/\{([a-z]+)\}/g, (_, name) => known[name]),
    );
    if (how === "tool") {
      const params = { name: filled[0], arguments: filled[1] };
      const { body } = await post(test, key, {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params },
      }, { path: "/v1/mcp?toolset=full" });
      const result = JSON.parse(body.result.content[0].text);
      return body.result.isError ? { code: result.error?.code ?? result.code } : result;
    }
    const answer = await test.request(`/v1/api${filled[0]}`, {
      ...{ method: how, token: key, json: filled[1] },
    });
    const body = await answer.json();
    return answer.ok ? body.data : { code: body.error.code };
  }

  /** The mail that left this account, and the mail of the attacker's mailbox, since the last call. */
  async function looked() {
    // The person who approves is told of what waits.
    const left = relay.taken.splice(0).flatMap(({ from, to }) =>
      from === "noreply@agents.test" ? to.filter((each) => each !== owner.email) : to
    );
    const rows = await data(test.request("/v1/api/emails?limit=100", { token: attacker.key }));
    return { left, got: rows.length as number };
  }

  return {
    ...{ test, relay, owner, box, second, key, known, run, looked, ...callsOf(test, owner) },
    /** Delivers a mail, lets the agent read and obey it, and returns how each call ended and who got mail. */
    async obey(injection: Injection, n: number) {
      const raw = mailOf(injection, n, box.email_address);
      const from = { "x-envelope-from": "ann@one.example", ...injection.envelope };
      const { disposition, email_id } = await deliver(test, box.email_address, raw, from);
      assert.equal(disposition, "accepted", injection.title);
      await test.settle();
      const read = await data(test.request(`/v1/api/emails/${email_id}`, { token: key }));
      known.id = email_id;
      known.soon = new Date(test.clock.now() + soonMs).toISOString();
      const { got: before } = await looked();
      const ended: string[] = [];
      for (const call of injection.calls) {
        const { code, status, draft_id, content_hash, reasons } = await run(call);
        if (draft_id) known.draft = draft_id;
        if (content_hash) known.hash = content_hash;
        if (status === "pending_approval") {
          assert.ok(reasons.some((each: Reason) => each.provenance === "new"), injection.title);
        }
        ended.push(code ?? (status === "pending_approval" ? "waits" : "done"));
      }
      await test.advance(soonMs);
      const { left, got } = await looked();
      const strangers = left.filter((address) => !isFree(address.toLowerCase()));
      return { read: JSON.stringify(read), ended, strangers, got: got - before };
    },
    [Symbol.asyncDispose]: () => relayed[Symbol.asyncDispose](),
  };
}
