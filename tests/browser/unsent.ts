import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { violations } from "./axe_pages.ts";
import { account, data } from "../service.ts";
import { type Guarantees, newSession, openList, openThread, plain, rows } from "./scene.ts";
import type { Stage } from "./stage.ts";

export const unsent: Guarantees = {
  async "a message that is not sent is there again after Escape and after a click beside it; to leave asks first"(
    { page, stage },
  ) {
    await openList(page, stage);
    const dialog = page.getByRole("dialog");
    const text = dialog.locator("textarea");
    await page.keyboard.press("c");
    await dialog.getByLabel("To", { exact: true }).fill("bob@example.org");
    await dialog.getByLabel("Subject").fill("Kept");
    await text.fill("A long text.");
    await dialog.locator("input[type=file]").setInputFiles({
      name: "kept.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("abc"),
    });
    await dialog.getByText("kept.txt").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("c");
    assert.equal(await text.inputValue(), "A long text.");
    assert.equal(await dialog.getByLabel("To", { exact: true }).inputValue(), "bob@example.org");
    await dialog.getByText("kept.txt").waitFor();
    const question = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    await (await question).dismiss();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("c");
    await text.press("ControlOrMeta+Enter");
    await page.getByText("Stored: without a relay").waitFor();
    await page.keyboard.press("c");
    assert.equal(await text.inputValue(), "", "it was sent");
    await text.fill("Not wanted.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("c");
    assert.equal(await text.inputValue(), "", "it was cancelled");
  },

  async "a session that ends elsewhere leads to the sign-in by itself, and what was written comes back"(
    { page, stage },
  ) {
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.keyboard.press("c");
    const text = page.getByRole("dialog").locator("textarea");
    await text.fill("Written before.");
    const ended = await stage.test.request("/api/auth/sessions", {
      method: "DELETE",
      token: await newSession(stage),
    });
    assert.equal(ended.status, 200);
    await page.getByLabel("Email").fill(stage.me.email);
    await page.getByLabel("Password").fill(stage.me.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await text.waitFor();
    assert.equal(await text.inputValue(), "Written before.");
  },

  async "a reply that is not sent is there again after another conversation was opened"(
    { page, stage },
  ) {
    await stage.deliver(plain("To be answered"));
    await stage.test.settle();
    await openThread(page, stage, "To be answered");
    await page.keyboard.press("r");
    const text = page.getByLabel("Your reply");
    await text.fill("Half an answer.");
    await page.getByLabel("Reply to all").check();
    await text.press("Escape");
    await text.waitFor({ state: "detached" });
    await page.locator(".reply-button:focus").waitFor();
    await page.keyboard.press("u");
    await page.getByRole("heading", { level: 1, name: "To be answered" })
      .waitFor({ state: "detached" });
    await page.goBack();
    await page.getByRole("button", { name: "Continue your reply" }).click();
    assert.equal(await text.inputValue(), "Half an answer.");
    assert.ok(await page.getByLabel("Reply to all").isChecked());
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    assert.equal(await text.inputValue(), "");
  },

  async "labels that the service refuses stay in their field, with the reason; the button keeps the focus"(
    { page, stage },
  ) {
    await stage.deliver(plain("To get a label"));
    await openList(page, stage);
    await rows(page).first().getByRole("checkbox").check();
    await page.getByRole("toolbar").getByRole("button", { name: "Labels" }).click();
    const dialog = page.getByRole("dialog", { name: "Labels" });
    await dialog.getByLabel("Add labels").fill("größe urgent");
    const save = dialog.getByRole("button", { name: "Save" });
    await save.click();
    await dialog.getByRole("alert").getByText(/must be a label/).waitFor();
    assert.ok(await save.evaluate((node) => node === node.ownerDocument.activeElement));
    assert.equal(await dialog.getByLabel("Add labels").inputValue(), "größe urgent");
    await page.setViewportSize({ width: 390, height: 844 });
    await dialog.getByLabel("Add labels").fill("urgent");
    await save.click({ timeout: 5_000 });
    await dialog.waitFor({ state: "detached" });
  },

  async "a refusal is at the field that it is about, which is marked and described; another one is above the buttons"(
    { page, stage },
  ) {
    await page.goto(`${stage.base}/app/mailboxes`);
    await page.getByRole("button", { name: /^Policy of/ }).first().click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    const wrong = dialog.locator("[aria-invalid=true]");
    await dialog.getByLabel("May not write to").fill("ok@example.net\nnot an address");
    await save.click();
    await wrong.waitFor();
    assert.equal(await wrong.getAttribute("name"), "block_recipients");
    const note = page.locator(`[id="${await wrong.getAttribute("aria-describedby")}"]`);
    assert.match(await note.innerText(), /^Entry 2: is neither an address nor @domain/);
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel("May not write to").fill("ok@example.net");
    await page.route("**/policy", (route) => route.abort(), { times: 1 });
    await save.click();
    await dialog.getByRole("alert").getByText("Letterbox does not answer").waitFor();
    assert.equal(await wrong.count(), 0);
    await page.keyboard.press("Escape");
    // One refusal of several fields; a control inside of a group.
    await page.getByRole("button", { name: "Create mailbox" }).click();
    await dialog.locator("[name=local]").fill("abc");
    await dialog.getByRole("button", { name: "Create mailbox" }).click();
    await wrong.waitFor();
    assert.equal(await wrong.getAttribute("name"), "local");
    const style = (of: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${of}")).${name}`);
    const text = await style("dialog .field-error", "color");
    assert.match(String(text), /^rgb/);
    assert.equal(await style("[aria-invalid=true]", "borderTopColor"), text);
  },

  async "a click beside a dialog closes it until something is typed or chosen in it"(
    { page, stage },
  ) {
    await page.goto(`${stage.base}/app/mailboxes`);
    const dialog = page.getByRole("dialog");
    const open = () => page.getByRole("button", { name: /^Policy of/ }).first().click();
    await open();
    await dialog.getByLabel("Needs no approval to write to").waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "detached" });
    await open();
    await dialog.getByLabel("Needs no approval to write to").fill("ada@example.net");
    await page.mouse.click(5, 5);
    assert.equal(
      await dialog.getByLabel("Needs no approval to write to").inputValue(),
      "ada@example.net",
    );
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.goto(`${stage.base}/app/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Only what is chosen").check();
    await page.mouse.click(5, 5);
    assert.ok(await dialog.getByLabel("Only what is chosen").isChecked());
  },

  async "a click beside a secret that is shown once does not lose it, and the focus goes back"(
    { page, stage },
  ) {
    await page.goto(`${stage.base}/app/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("clicked beside");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "Key for clicked beside" });
    await shown.waitFor();
    await page.mouse.click(5, 5);
    await shown.getByRole("button", { name: "I have stored it" }).click();
    await shown.waitFor({ state: "detached" });
    await page.locator(".page button:focus", { hasText: "Create key" }).waitFor();
  },

  async "whoever has no mailbox is led to make one, after to sign in and to write"(
    { page, stage },
  ) {
    const { email, password } = await account(stage.test);
    await page.goto(`${stage.base}/app/mail/all`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "No mailbox yet" }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("dialog").getByRole("link", { name: "Create mailbox" }).click();
    await page.getByRole("heading", { level: 1, name: "Mailboxes" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
  },

  async "a reply goes to the author of the message that it was begun for"({ page, stage }) {
    await stage.deliver(plain("Who is answered", "Hello.", "Message-ID: <asked@example.net>\n"));
    await openThread(page, stage, "Who is answered");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.keyboard.press("r");
    await page.getByLabel("Your reply").fill("For Ada alone.");
    await stage.deliver(
      "From: Bob <bob@example.org>\nCc: ada@example.net\nSubject: Re: Who is answered\n" +
        "In-Reply-To: <asked@example.net>\n\nI have a question too.\n",
    );
    await page.getByText("I have a question too.").first().waitFor();
    await page.getByLabel("Your reply").press("Control+Enter");
    await page.getByText("Your agent").first().waitFor();
    assert.deepEqual((await lastSent(stage, "Re: Who is answered")).to, ["ada@example.net"]);
  },

  async "a mail waits for the file that is still being read"({ page, stage }) {
    await page.addInitScript(`
      const { readAsDataURL } = FileReader.prototype;
      const wanted = new Promise((done) => globalThis.readFiles = done);
      FileReader.prototype.readAsDataURL = function (file) {
        wanted.then(() => readAsDataURL.call(this, file));
      };
    `);
    await openList(page, stage);
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New message" });
    await dialog.getByLabel("To", { exact: true }).fill("bob@example.org");
    await dialog.getByLabel("Subject").fill("With a slow file");
    await dialog.locator("textarea").fill("See below.");
    await dialog.locator("input[type=file]").setInputFiles({
      ...{ name: "slow.txt", mimeType: "text/plain", buffer: Buffer.from("abc") },
    });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByRole("button", { name: "Sending…" }).waitFor();
    await page.evaluate("readFiles()");
    await dialog.waitFor({ state: "detached" });
    const { attachments } = await lastSent(stage, "With a slow file");
    assert.deepEqual(attachments.map(({ filename }) => filename), ["slow.txt"]);
  },
};

interface SentMail {
  to: string[];
  attachments: { filename: string }[];
}

async function lastSent({ test, me }: Stage, subject: string): Promise<SentMail> {
  const query = new URLSearchParams({ direction: "outbound", subject, limit: "1" });
  const [mail] = await data(test.request(`/v1/api/emails?${query}`, { token: me.key }));
  return mail;
}
