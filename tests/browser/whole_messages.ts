import assert from "node:assert/strict";
import type { Route } from "playwright-core";
import { eventually } from "../eventually.ts";
import { overflows } from "./axe_pages.ts";
import { type Guarantees, htmlMail, openThread, plain } from "./scene.ts";

export const wholeMessages: Guarantees = {
  async "a message shows the address of its sender and everybody who got it"({ page, stage }) {
    const copies = Array.from({ length: 20 }, (_, n) => `Person ${n} <person${n}@example.net>`);
    const header = `Cc: ${copies.join(",\n ")}\nReply-To: desk@example.org\n`;
    const to = `To: ${"a-long-recipient.".repeat(3)}who@${"sub.".repeat(8)}example.net`;
    const mail = plain("To many people", "\u05e9\u05dc\u05d5\u05dd!\nHello.", header);
    await stage.deliver(mail.replace("To: agent", to));
    await stage.test.settle();
    await openThread(page, stage, "To many people");
    const people = page.locator(".people");
    assert.deepEqual((await people.innerText()).split("\n"), [
      "From",
      "ada@example.net",
      "Reply to",
      "desk@example.org",
      "Cc",
      `${
        copies.keys().take(8).map((n) => `person${n}@example.net`).toArray().join(", ")
      } and 12 more`,
    ]);
    await people.getByRole("button", { name: "and 12 more" }).click();
    await people.getByText("person19@example.net").waitFor();
    const head = page.locator(".message.open .message-who .muted");
    for (const width of [830, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const endsAt = await head.evaluate((node) => {
        const { paddingRight } = node.ownerDocument.defaultView!.getComputedStyle(node);
        const { right, bottom } = node.getBoundingClientRect();
        return { x: right - parseFloat(paddingRight), y: bottom };
      });
      const views = await page.getByRole("group", { name: "Show as" }).boundingBox();
      const isApart = endsAt.x <= views!.x || endsAt.y <= views!.y;
      assert.ok(isApart, `the buttons are beside or below the recipient at ${width}`);
    }
    const lefts = await page.locator(".message-body .text").evaluate((node) => {
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].map(({ left }) => left);
    });
    assert.ok(lefts[0] > lefts.at(-1)! + 200, "each line begins at the side of its language");
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await overflows(page), []);
    }
  },

  async "a long conversation opens with its first and newest messages, and shows those between"(
    { page, stage },
  ) {
    const first = "<long-conversation@example.net>";
    await stage.deliver(plain("A long talk", "Hello.", `Message-ID: ${first}\n`));
    for (let n = 1; n < 14; n++) {
      const header = `Message-ID: <${n}-long@example.net>\nReferences: ${first}\n`;
      await stage.deliver(plain("Re: A long talk", `Answer ${n}.`, header));
    }
    await stage.test.settle();
    await openThread(page, stage, "A long talk");
    const messages = page.locator(".message");
    const newest = page.locator(".message.newest");
    assert.equal(await messages.count(), 5);
    await newest.getByText("Answer 13.").waitFor();
    const isInView = () =>
      newest.evaluate((node) => node.getBoundingClientRect().bottom < innerHeight);
    assert.ok(await isInView());
    await stage.deliver(plain("Re: A long talk", "One more.", `References: ${first}\n`));
    await newest.getByText("One more.").waitFor();
    assert.equal(await messages.count(), 6);
    await page.getByRole("button", { name: "Show 9 messages between" }).press("Enter");
    await messages.filter({ hasText: "Answer 5." }).waitFor();
    const focused = messages.filter({ has: page.locator("button:focus") });
    await focused.filter({ hasText: "Answer 1." }).waitFor();
    assert.equal(await messages.count(), 15);
  },

  async "HTML that the service refuses to show says why, and Try again shows it"(
    { page, stage },
  ) {
    await stage.deliver(htmlMail(
      "HTML after a refusal",
      "<p>Shown at <b>last</b>.</p>" +
        "<table width=1600><tr><td>Unbroken<td width=1500>Wide</table>",
    ));
    await stage.test.settle();
    const error = { code: "SERVICE_UNAVAILABLE", message: "The service is away." };
    const away = { status: 503, json: { success: false, error } };
    const answers = [(route: Route) => route.fulfill(away), (route: Route) => route.abort()];
    await page.route("**/html", (route) => (answers.shift() ?? (() => route.continue()))(route));
    await openThread(page, stage, "HTML after a refusal");
    await page.getByRole("alert").getByText("The service is away.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").getByText("Letterbox does not answer").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    const inside = page.frameLocator("iframe");
    await inside.getByText("Shown at last.").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const cell = await inside.getByText("Unbroken").boundingBox();
    assert.ok(cell!.width > 50 && cell!.height < 40, "a wide table does not break words");
    await eventually(
      "the frame shows all of its height",
      () => inside.locator("html").evaluate((node) => node.scrollHeight <= node.clientHeight),
    );
  },
};
