import type { Page } from "playwright-core";

/** A place for a picture: its name, its path below /app/, and the actions before the picture. */
export interface Place {
  name: string;
  path: string;
  then?(page: Page): Promise<unknown>;
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
/** Opens the conversation of a subject. */
const open = (subject: string) => async (page: Page) => {
  await page.getByText(subject).first().click();
  await page.locator(".message-body").first().waitFor();
};

/** Every page and dialog of the dashboard. */
export const places: readonly Place[] = [
  { name: "list", path: "mail/all" },
  { name: "thread", path: "mail/all", then: open("Order HB-20418") },
  { name: "code", path: "mail/all", then: open("482913 is your Clearfold") },
  {
    name: "html",
    path: "mail/all",
    async then(page) {
      await open("Five bindings worth")(page);
      await button("HTML")(page);
      await page.frameLocator("iframe").locator("body").waitFor();
    },
  },
  {
    name: "source",
    path: "mail/all",
    async then(page) {
      await open("Invoice 2026")(page);
      await button("Source")(page);
    },
  },
  {
    name: "seen",
    path: "mail/all",
    async then(page) {
      await open("Returning a damaged")(page);
      await button("Seen by")(page);
    },
  },
  {
    name: "reply",
    path: "mail/all",
    async then(page) {
      await open("Can you hold the 1911")(page);
      await button("Reply")(page);
    },
  },
  { name: "failed-send", path: "mail/all?direction=outbound", then: open("Your purchase order") },
  { name: "forged", path: "mail/all", then: open("Your account is locked") },
  {
    name: "selected",
    path: "mail/all",
    async then(page) {
      for (const n of [0, 2]) await page.getByRole("checkbox").nth(n).check();
    },
  },
  {
    name: "labels",
    path: "mail/all",
    async then(page) {
      await page.getByRole("checkbox").first().check();
      await page.getByRole("toolbar").getByRole("button", { name: "Labels" }).click();
    },
  },
  { name: "empty-box", path: "mail/quotes" },
  {
    name: "compose",
    path: "mail/all",
    then: (page) => page.keyboard.press("c"),
  },
  { name: "keys-help", path: "mail/all", then: (page) => page.keyboard.press("?") },
  { name: "search", path: "search?q=which%20parcel%20is%20late" },
  { name: "search-filters", path: "search?q=atlas", then: button(/^Filters/) },
  { name: "search-none", path: "search?q=atlas&from=nobody@example.net" },
  { name: "drafts", path: "drafts" },
  {
    name: "waiting",
    path: "drafts",
    async then(page) {
      await page.locator(".draft h2 a").first().click();
      await button("Edit")(page);
    },
  },
  { name: "drafts-none", path: "drafts?status=rejected" },
  { name: "reject", path: "drafts", then: button("Reject") },
  { name: "arrivals", path: "arrivals" },
  { name: "refused", path: "arrivals?disposition=rejected" },
  { name: "webhooks", path: "webhooks" },
  { name: "new-webhook", path: "webhooks", then: button("Add webhook") },
  {
    name: "deliveries",
    path: "webhooks",
    then: (page) => page.getByRole("link", { name: /ops\.lantern/ }).click(),
  },
  { name: "apps", path: "apps" },
  { name: "disconnect", path: "apps", then: button(/^Disconnect/) },
  { name: "keys", path: "keys" },
  { name: "new-key", path: "keys", then: button("Create key") },
  {
    name: "scopes",
    path: "keys",
    async then(page) {
      await button("Create key")(page);
      await page.getByLabel("Only what is chosen").check();
    },
  },
  { name: "revoke", path: "keys", then: button(/^Revoke/) },
  { name: "domains", path: "domains" },
  { name: "new-domain", path: "domains", then: button("Add domain") },
  { name: "usage", path: "usage" },
  { name: "end-account", path: "usage", then: button(/^Delete/) },
  { name: "people", path: "people" },
  { name: "invite", path: "people", then: button("Invite a person") },
  { name: "password", path: "usage", then: button("Change password") },
  { name: "mailboxes", path: "mailboxes" },
  { name: "signature", path: "mailboxes", then: button(/^Name and signature of/) },
  { name: "policy", path: "mailboxes", then: button(/^Policy of/) },
  {
    name: "wrong",
    path: "mailboxes",
    async then(page) {
      await button(/^Policy of/)(page);
      await page.getByRole("dialog").locator("[name=block_recipients]").fill("nobody at all");
      await button("Save")(page);
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "new-mailbox", path: "mailboxes", then: button("Create mailbox") },
  { name: "rename", path: "mailboxes", then: button(/^Rename/) },
  { name: "delete-mailbox", path: "mailboxes", then: button(/^Delete/) },
  { name: "nowhere", path: "nowhere" },
];
