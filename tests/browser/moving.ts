import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { mailbox } from "../service.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import { type Guarantees, openThread, rows } from "./scene.ts";
import type { Stage } from "./stage.ts";

const message = (subject: string, date: string, more = "") =>
  `From: Old Friend <friend@example.net>\nTo: me@example.org\nSubject: ${subject}\nDate: ${date}\n` +
  `Message-ID: <${subject.replaceAll(" ", "-")}@example.net>\n${more}\nHello from ${date}.\n`;

/** An mbox of `count` mails of 2020. */
function mbox(name: string, count: number): string {
  return Array.from({ length: count }, (_, n) => {
    const date = `Sun, 17 May 2020 09:30:${String(n % 60).padStart(2, "0")} +0000`;
    const status = n % 2 === 0 ? "Status: RO\n" : "";
    return `From friend@example.net Sun May 17 09:30:00 2020\n${
      message(`${name} ${n}`, date, status)
    }\n`;
  }).join("");
}

const file = (name: string, text: string) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(text),
});

async function openPage(page: Page, { base }: Stage, into: string): Promise<void> {
  await page.goto(`${base}/app/bring?mailbox=${into}`);
  await page.getByRole("heading", { level: 1, name: "Bring mail" }).waitFor();
  await page.getByLabel("Into the mailbox").waitFor();
}

async function chosen(page: Page, files: ReturnType<typeof file>[]): Promise<void> {
  await page.getByLabel("Choose files").setInputFiles(files);
}

const start = (page: Page) => page.getByRole("button", { name: "Bring mail" }).click();

export const moving: Guarantees = {
  async "an mbox is chosen, comes with a bar, and is counted by folder; its mail has its own date, with the year"(
    { page, stage, complaints },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "moved-in");
    await openPage(page, stage, mailbox_id);
    await chosen(page, [file("Archive.mbox", mbox("Old letter", 12)), file("notes.txt", "none")]);
    await page.getByText("2 files, ").waitFor();
    await start(page);
    await page.getByText("All is here").waitFor();
    const bar = page.getByRole("progressbar", { name: "Bring mail" });
    assert.equal(await bar.getAttribute("aria-valuenow"), "100");
    const cells = await page.getByRole("row").filter({ hasText: "Archive.mbox" })
      .getByRole("cell").allInnerTexts();
    assert.deepEqual(cells, ["Archive.mbox", "12", "0", "0", "0"]);
    await page.getByRole("link", { name: "See the mail" }).click();
    await rows(page).first().waitFor();
    const time = rows(page).first().locator("time");
    assert.equal(await time.innerText(), "17 May 2020");
    assert.equal(await rows(page).filter({ hasText: "imported" }).count(), 12);
    assert.equal(await rows(page).locator("visible=true").filter({ hasText: "unread" }).count(), 6);
    await openThread(page, stage, "Old letter 3");
    assert.equal(await page.locator(".message-head time").first().innerText(), "17 May 2020");
    // Again: everything is known.
    await openPage(page, stage, mailbox_id).catch(() => {});
    await page.reload();
    await chosen(page, [file("Archive.mbox", mbox("Old letter", 12))]);
    await start(page);
    await page.getByText("All is here").waitFor();
    const again = await page.getByRole("row").filter({ hasText: "Archive.mbox" })
      .getByRole("cell").allInnerTexts();
    assert.deepEqual(again.slice(1, 3), ["0", "12"]);
    assert.deepEqual(complaints, []);
  },

  async "a file is dropped on the page; what is no mail is refused in one sentence"(
    { page, stage },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "dropped-on");
    await openPage(page, stage, mailbox_id);
    const drop = async (name: string, text: string) => {
      const data = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        return data;
      })()`);
      await page.locator(".drop").dispatchEvent("drop", { dataTransfer: data });
      await page.getByText(name).waitFor();
    };
    await drop("outlook.pst", "!BDN and so on");
    await start(page);
    await page.getByText("It broke off").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /\.pst|Outlook/);
    await page.getByRole("button", { name: "Bring something else" }).click();
    await drop("one.eml", message("A dropped letter", "Sun, 17 May 2020 09:30:00 +0000"));
    await start(page);
    await page.getByText("All is here").waitFor();
    await page.getByText("100 % · 1 mails").waitFor();
  },

  async "a run goes on while other pages are open, is stopped, and goes on where it stood"(
    { page, stage },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "stopped-once");
    let asked = 0, held: (() => void)[] = [];
    let holds = true;
    await page.route("**/import", async (route) => {
      asked++;
      if (holds && asked > 40) await new Promise<void>((done) => held.push(done));
      await route.continue();
    });
    await openPage(page, stage, mailbox_id);
    await chosen(page, [file("Long.mbox", mbox("Long letter", 120))]);
    await start(page);
    await page.getByText("On its way.").waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("table").waitFor();
    await page.goBack();
    await page.getByText("On its way.").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    holds = false;
    for (const done of held) done();
    held = [];
    await page.getByText("Stopped", { exact: true }).waitFor();
    const before = asked;
    assert.ok(before >= 40 && before < 60, `${before}`);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("All is here").waitFor();
    // The last message that was taken is sent once more, to see that the service still has it.
    assert.equal(asked, 121);
    const cells = await page.getByRole("row").filter({ hasText: "Long.mbox" })
      .getByRole("cell").allInnerTexts();
    assert.deepEqual(cells.slice(1), ["120", "0", "0", "0"]);
  },

  async "a service that is away for a moment is waited for; a failure can be tried again"(
    { page, stage },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "away-once");
    let asked = 0;
    await page.route("**/import", async (route) => {
      if (++asked === 1) return await route.abort();
      if (asked === 3) return await route.fulfill({ status: 500, body: "{}" });
      await route.continue();
    });
    await openPage(page, stage, mailbox_id);
    await chosen(page, [file("Few.mbox", mbox("Few letters", 3))]);
    await start(page);
    await page.getByText("It broke off").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("All is here").waitFor();
    await page.getByText("100 % · 3 mails").waitFor();
  },

  async "a mailbox is taken away as one file, which another mailbox takes with its labels and read state"(
    { page, stage },
  ) {
    const { base } = stage;
    const from = await mailbox(stage.test, stage.me, "taken-away");
    const to = await mailbox(stage.test, stage.me, "brought-back");
    await openPage(page, stage, from.mailbox_id);
    await chosen(page, [file("Some.mbox", mbox("Some letter", 5))]);
    await start(page);
    await page.getByText("All is here").waitFor();
    const listed = async (mailboxId: string) => {
      const answer = await page.request.get(`${base}/api/emails?mailbox_id=${mailboxId}`);
      return (await answer.json()).data.map((each: Record<string, unknown>) => [
        ...[each.subject, each.is_read, each.labels, each.received_at, each.size],
      ]);
    };
    await page.goto(`${base}/app/usage`);
    await page.getByRole("heading", { name: "Take it with you" }).waitFor();
    const card = page.locator(".card").filter({ hasText: "Take it with you" });
    await card.getByLabel("Mailbox").selectOption({ label: from.email_address });
    const coming = page.waitForEvent("download");
    await card.getByRole("button", { name: "Download" }).click();
    const download = await coming;
    assert.equal(download.suggestedFilename(), `${from.email_address}.ndjson`);
    const text = await Deno.readTextFile((await download.path())!);
    assert.equal(text.trim().split("\n").length, 6);
    await openPage(page, stage, to.mailbox_id);
    await chosen(page, [file(`${from.email_address}.ndjson`, text)]);
    await start(page);
    await page.getByText("All is here").waitFor();
    assert.deepEqual(await listed(to.mailbox_id), await listed(from.mailbox_id));
  },

  async "axe finds nothing while mail is chosen, comes and is there, in both themes, at 1280, 390 and 320 px"(
    { page, stage },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "looked-at-all");
    const wrong: string[] = [];
    const look = async (name: string) => {
      for (const { theme, width } of looks([1280, 390, 320])) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 800 });
        const place = `${name} ${theme} ${width}`;
        wrong.push(...(await violations(page)).map((each) => `${place}: ${each}`));
        wrong.push(...(await overflows(page)).map((each) => `${place}: ${each}`));
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    await openPage(page, stage, mailbox_id);
    await look("choose");
    const long = `${"A-folder-with-a-very-long-name-".repeat(4)}.mbox`;
    await chosen(page, [file(long, mbox("Looked at", 2)), file("no.pst", "!BDN")]);
    await look("chosen");
    await start(page);
    await page.getByText("All is here").waitFor();
    await look("done");
    await page.goto(`${stage.base}/app/usage`);
    await page.getByRole("heading", { name: "Take it with you" }).waitFor();
    await look("usage");
    assert.deepEqual(wrong, []);
  },

  async "the form of a key takes its limit, and the list shows it"({ page, stage: { base } }) {
    await page.goto(`${base}/app/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("slow");
    await page.getByLabel("Requests a minute").fill("30");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    const row = page.getByRole("row").filter({ hasText: "slow" });
    await row.getByText("at most 30 requests a minute").waitFor();
  },
};
