import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { inboundToken, mailbox } from "../service.ts";
import { postMail } from "../service_process.ts";
import { overflows } from "./axe_pages.ts";
import { type Guarantees, heldDraft, newSession, openThread, plain, rows } from "./scene.ts";

const widths = [320, 390, 768, 1280];

/** What is wider than its box in any of the widths. */
async function wideParts(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    wrong.push(...(await overflows(page)).map((each) => `${width} px: ${each}`));
  }
  return wrong;
}

/** The longest names that the service accepts, each one word. */
export const longNames: Guarantees = {
  async "a key of the longest name, for a mailbox of the longest name, fits into its table and its dialog"(
    { page, stage },
  ) {
    const { base, test, me } = stage;
    const { mailbox_id } = await mailbox(test, me, "k".repeat(64));
    const name = "K".repeat(100);
    const made = await test.request("/api/keys", {
      token: await newSession(stage),
      json: { name, mailboxIds: [mailbox_id] },
    });
    assert.equal(made.status, 201);
    await page.goto(`${base}/app/keys`);
    await page.getByText(name).waitFor();
    assert.deepEqual(await wideParts(page), []);
    const table = page.locator(".table-wrap");
    const beyond = await table.evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.equal(beyond, 0, "the table does not scroll at 1280 px");
    // A table that is too wide scrolls with its hidden names of columns, and not the window.
    await table.evaluate((node) => node.querySelector("table")!.style.width = "3000px");
    assert.deepEqual(await overflows(page), []);
    await page.reload();
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await wideParts(page), []);
  },

  async "the records of a domain have whole names, which a person can copy, and fit"(
    { page, stage: { base } },
  ) {
    const domain_name = `mail.${"d".repeat(63)}.example`;
    const record = { type: "TXT", value: "v".repeat(400), priority: null, status: "missing" };
    const domain = {
      ...{ domain_id: "d1", domain_name, mailbox_count: 0, verified: false, mx_configured: false },
      dns_records: ["@", "letterbox._domainkey"].map((name) => ({
        ...record,
        name,
        fqdn: name === "@" ? domain_name : `${name}.${domain_name}`,
      })),
    };
    await page.route(
      "**/api/domains",
      (route) =>
        route.fulfill({ json: { success: true, data: [domain], meta: { can_add_domain: true } } }),
    );
    await page.goto(`${base}/app/domains`);
    await page.getByText(`letterbox._domainkey.${domain_name}`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy the name of the TXT record" }).first().click();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), domain_name);
    assert.deepEqual(await wideParts(page), []);
    const table = page.locator(".table-wrap");
    assert.equal(await table.evaluate((node) => node.scrollWidth - node.clientWidth), 0);
  },

  async "a draft for the longest recipient fits into the page of drafts"({ page, stage }) {
    const to = `${"r".repeat(64)}@${"d".repeat(63)}.${"e".repeat(63)}.example.net`;
    await heldDraft(stage, "held-long", "Held for a long address", to);
    await page.goto(`${stage.base}/app/drafts`);
    await page.locator(".held").getByText(to).waitFor();
    assert.deepEqual(await wideParts(page), []);
  },

  async "an attachment with a long name fits into its message and into a reply, with its size on one line"(
    { page, stage },
  ) {
    const filename = `${"f".repeat(120)}.txt`;
    const parts = [
      "Content-Type: text/plain\n\nSee the file.\n",
      `Content-Type: text/plain\nContent-Disposition: attachment; filename="${filename}"\n\nabc\n`,
    ];
    const body = [...parts.map((each) => `--b\n${each}`), "--b--"].join("\n");
    const header = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    await stage.deliver(plain("A file with a long name", body, header));
    await stage.test.settle();
    await openThread(page, stage, "A file with a long name");
    await page.getByRole("button", { name: "Reply" }).click();
    await page.locator(".reply input[type=file]").setInputFiles({
      name: filename,
      mimeType: "text/plain",
      buffer: Buffer.from("abc\n"),
    });
    const files = page.locator(".attachments li");
    await files.nth(1).waitFor();
    assert.deepEqual(await wideParts(page), []);
    await page.setViewportSize({ width: 320, height: 844 });
    for (const file of await files.all()) {
      const { right, height } = await file.evaluate((node) => ({
        right: node.getBoundingClientRect().right -
          node.parentElement!.getBoundingClientRect().right,
        height: node.querySelector(".num")!.getBoundingClientRect().height,
      }));
      assert.ok(right <= 0, `${right} px beyond its list`);
      assert.ok(height < 24, `its size is ${height} px high`);
    }
  },

  async "the tag of a mailbox of the longest name leaves half of the line to the text of its mail"(
    { page, stage: { base, test, me } },
  ) {
    const { email_address } = await mailbox(test, me, "t".repeat(64));
    const raw = plain("To a long mailbox", "Hello.").replaceAll("\n", "\r\n");
    const sender = { from: "ada@example.net", token: inboundToken };
    assert.equal((await postMail(base, email_address, raw, sender)).status, 200);
    await test.settle();
    await page.goto(`${base}/app/mail/all`);
    const chip = rows(page).filter({ hasText: "To a long mailbox" }).locator(".chip").first();
    await chip.waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      const { part, ends } = await chip.evaluate((node) => ({
        part: node.getBoundingClientRect().width / node.parentElement!.clientWidth,
        ends: node.ownerDocument.defaultView!.getComputedStyle(node).textOverflow,
      }));
      assert.ok(part <= 0.55, `${width} px: ${part} of the line`);
      assert.equal(ends, "ellipsis");
    }
  },
};
