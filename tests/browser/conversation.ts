import assert from "node:assert/strict";
import { data, deliver, mailbox, message } from "../service.ts";
import { violations } from "./axe_pages.ts";
import { type Guarantees, newSession } from "./scene.ts";

export const conversation: Guarantees = {
  async "a conversation shows whose turn it is, the replies that are not sent yet at their place, with their buttons, and the address by which mail came"(
    { page, stage },
  ) {
    const { test, me, base } = stage;
    const box = await mailbox(test, me, "talk-box");
    const token = await newSession(stage);
    const policy = { method: "PUT", token, json: { approval: "always" } };
    await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, policy));
    const tagged = box.email_address.replace("@", "+order-7@");
    const raw = message({
      ...{ To: "list@lists.example", Subject: "Talk", "Message-ID": "<talk@example.net>" },
    }, "Can you come?\r\n");
    const { email_id } = await deliver(test, tagged, raw);
    await test.settle();
    const { thread_id } = await data(
      test.request(`/v1/api/emails/${email_id}`, { token: me.key }),
    );
    const reply = (json: object) =>
      data(test.request(`/v1/api/emails/${email_id}/reply`, { token: me.key, json }));
    await reply({ body_text: "We come at ten." });
    await page.goto(`${base}/app/mail/${box.mailbox_id}/t/${thread_id}`);
    const talk = page.getByRole("region", { name: "Conversation" });
    await talk.getByText("Waits for your answer").waitFor();
    await talk.getByText("Delivered to").waitFor();
    await talk.getByText(tagged).first().waitFor();
    const held = talk.getByRole("region", { name: "Re: Talk" });
    await held.getByText("We come at ten.").waitFor();
    await held.getByText("waits for approval").waitFor();
    for (const name of ["Edit", "Reject", "Approve"]) {
      assert.equal(await held.getByRole("button", { name, exact: true }).count(), 1, name);
    }
    assert.deepEqual(await violations(page), []);
    await held.getByRole("button", { name: "Approve", exact: true }).click();
    await held.waitFor({ state: "detached" });
    await talk.getByText("Waits for theirs").waitFor();
    assert.equal(await talk.locator(".messages > .message").count(), 2);
  },

  async "a conversation of several pages shows its newest message, and whose turn it is"(
    { page, stage },
  ) {
    const { test, me, base } = stage;
    const box = await mailbox(test, me, "long-talk");
    let last = "";
    for (let n = 0; n < 3; n++) {
      const fields = { Subject: "Long", "Message-ID": `<long${n}@example.net>` };
      const raw = message(
        { ...fields, ...n > 0 && { "In-Reply-To": "<long0@example.net>" } },
        `Message number ${n}.\r\n`,
      );
      ({ email_id: last } = await deliver(test, box.email_address, raw));
      await test.settle();
    }
    const { thread_id } = await data(test.request(`/v1/api/emails/${last}`, { token: me.key }));
    // As if a page had one message.
    await page.route("**/api/threads/**", async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set("limit", "1");
      await route.continue({ url: url.href });
    });
    await page.goto(`${base}/app/mail/${box.mailbox_id}/t/${thread_id}`);
    const talk = page.getByRole("region", { name: "Conversation" });
    await talk.getByText("Message number 2.").first().waitFor();
    await talk.getByText("Waits for your answer").waitFor();
    assert.equal(await talk.locator(".messages > .message").count(), 3);
  },

  async "a message between two own mailboxes stands once in its conversation"({ page, stage }) {
    const { test, me, base } = stage;
    const [one, two] = [await mailbox(test, me, "own-one"), await mailbox(test, me, "own-two")];
    const json = {
      ...{ mailbox_id: one.mailbox_id, to: two.email_address, subject: "Between" },
      body_text: "Only once.",
    };
    const { thread_id } = await data(
      test.request("/v1/api/emails/send", { token: me.key, json }),
    );
    await test.settle();
    await page.goto(`${base}/app/mail/${one.mailbox_id}/t/${thread_id}`);
    await page.getByRole("heading", { name: "Between" }).waitFor();
    await page.locator(".message").first().waitFor();
    assert.equal(await page.locator(".messages > .message").count(), 1);
    assert.equal(await page.getByText(/^Waits for/).count(), 0);
  },
};
