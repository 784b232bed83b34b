import assert from "node:assert/strict";
import { submitMessage } from "../../domain/mail/send/submitted/submit_message.ts";
import { readMailbox } from "../../domain/mailboxes/visible_mailboxes.ts";
import { eventually } from "../eventually.ts";
import { data, mailbox } from "../service.ts";
import { overflows, violations } from "./axe_pages.ts";
import { type Guarantees, heldDraft, newSession } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** A message of a program that waits, because its new mailbox asks about every mail. */
async function heldSubmission(stage: Stage, local: string, subject: string) {
  const { test, me } = stage;
  const { mailbox_id: mailboxId, email_address } = await mailbox(test, me, local);
  const set = await test.request(`/v1/api/mailboxes/${mailboxId}/policy`, {
    ...{ method: "PUT", token: await newSession(stage), json: { approval: "always" } },
  });
  assert.equal(set.status, 200);
  const caller = { userId: me.userId, plan: "enterprise" } as const;
  const sender = await readMailbox(test.service.database, caller, mailboxId);
  const lines = [`From: ${email_address}`, `Subject: ${subject}`, "", "Hello.", ""];
  const { as, id } = await submitMessage(test.service, caller, sender, {
    ...{ bytes: new TextEncoder().encode(lines.join("\r\n")), refused: [] },
    recipients: ["new@example.net"],
  });
  assert.equal(as, "held");
  return { id, mailboxId };
}

/** Whoever approves a draft reads all that goes out. */
export const approving: Guarantees = {
  async "drafts: the HTML, the files and the Reply-To of a held draft are shown beside its text"(
    { page, stage },
  ) {
    const { test, me } = stage;
    const { mailbox_id } = await mailbox(test, me, "held-html");
    const policy = { approval: "always" };
    const set = await test.request(`/v1/api/mailboxes/${mailbox_id}/policy`, {
      ...{ method: "PUT", token: await newSession(stage), json: policy },
    });
    assert.equal(set.status, 200);
    const html = `<p>Pay to <b>DE99</b> now.</p><p>${"x".repeat(400)}</p>` +
      `<img src="https://evil.example/seen.png">`;
    const attachments = [{
      ...{ filename: "terms.txt", content_type: "text/plain", content: btoa("Net 30.") },
    }];
    const mails = [
      { subject: "Two faces", attachments, body_text: "Nice text.", body_html: html },
      { subject: "HTML alone", body_html: html },
    ];
    const draftIds: string[] = [];
    for (const mail of mails) {
      const json = {
        ...{ mailbox_id, to: "new@example.net", reply_to: "collector@evil.example" },
        ...mail,
      };
      const sent = await test.request("/v1/api/emails/send", { token: me.key, json });
      draftIds.push((await data(sent)).draft_id);
    }
    await page.goto(`${stage.base}/app/drafts`);
    for (const { subject } of mails) {
      const card = page.getByRole("region", { name: subject });
      await card.waitFor();
      const inside = card.frameLocator("iframe");
      await inside.getByText("Pay to DE99 now.").waitFor();
      await card.getByText("1 remote image not loaded").waitFor();
      const source = card.getByRole("button", { name: "Source" });
      await source.click();
      assert.equal(await card.locator("iframe").count(), 0);
      const shown = await card.innerText();
      assert.ok(shown.includes(html), shown);
      assert.ok(shown.includes("collector@evil.example"), shown);
      assert.equal(shown.includes("Nice text."), subject === "Two faces");
    }
    const downloads = page.waitForEvent("download");
    await page.getByRole("link", { name: "terms.txt" }).click();
    const download = await downloads;
    assert.equal(download.suggestedFilename(), "terms.txt");
    assert.equal(await Deno.readTextFile(await download.path()), "Net 30.");
    await page.getByRole("button", { name: "As shown" }).first().click();
    await page.locator("iframe").waitFor();
    assert.deepEqual(await violations(page), []);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await overflows(page), []);
    }
    for (const draftId of draftIds) {
      const path = `/v1/api/drafts/${draftId}`;
      assert.equal((await test.request(path, { method: "DELETE", token: me.key })).status, 200);
    }
  },

  async "drafts: a message that came by SMTP is decided as it came, without Edit"({ page, stage }) {
    const { test, me } = stage;
    const { id } = await heldSubmission(stage, "held-smtp", "Of a program");
    for (const path of ["/app/drafts", `/app/waiting/${id}`]) {
      await page.goto(`${stage.base}${path}`);
      const card = page.getByRole("region", { name: "Of a program" });
      await card.getByRole("button", { name: "Approve" }).waitFor();
      assert.equal(await card.getByRole("button", { name: "Edit" }).count(), 0);
    }
    await page.getByRole("button", { name: "Approve" }).click();
    const path = `/v1/api/drafts/${id}`;
    await eventually(
      "it is sent",
      async () => (await data(test.request(path, { token: me.key }))).status === "sent",
    );
  },

  async "drafts: a message that came by SMTP from a former address says so when it is approved"(
    { page, stage },
  ) {
    const { test, me } = stage;
    const { id, mailboxId } = await heldSubmission(stage, "former-smtp", "Of a former address");
    const renamed = await test.request(`/api/mailboxes/${mailboxId}`, {
      ...{ method: "PATCH", token: await newSession(stage) },
      json: { local_part: "later-smtp", domain: "agents.test" },
    });
    assert.equal(renamed.status, 200);
    await page.goto(`${stage.base}/app/waiting/${id}`);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("from the mailbox's former address; reject it").first().waitFor();
    const path = `/v1/api/drafts/${id}`;
    assert.equal((await test.request(path, { method: "DELETE", token: me.key })).status, 200);
  },

  async "drafts: a scheduled mail that was refused says why, in words"({ page, stage }) {
    const { test, me } = stage;
    const draftId = await heldDraft(stage, "held-refused", "Refused when it was due");
    const blocked = [{
      ...{ recipient: "new@example.net", provenance: "new", code: "RECIPIENT_BLOCKED" },
    }];
    await page.route("**/api/drafts?*", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const draft of body.data) draft.reasons = blocked;
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${stage.base}/app/drafts`);
    const card = page.getByRole("region", { name: "Refused when it was due" });
    await card.getByText("new@example.net is blocked by the mailbox's policy").waitFor();
    const path = `/v1/api/drafts/${draftId}`;
    assert.equal((await test.request(path, { method: "DELETE", token: me.key })).status, 200);
  },
};
