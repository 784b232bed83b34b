import type { Page } from "playwright-core";

/** A place for a picture. */
export interface Place {
  name: string;
  /** Below /app/, or from / on. What is in braces is a place of `crowd`. */
  path: string;
  /** Whose browser: that of the demonstration account, else of a new account, or of nobody. */
  as?: "newcomer" | "nobody";
  /** The actions before the picture. */
  then?(page: Page): Promise<unknown>;
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
/** Opens the conversation of a subject, by its URL: its row may be far down. */
const open = (subject: string) => async (page: Page) => {
  const { origin, search } = new URL(page.url());
  const query = new URLSearchParams({ subject, limit: "1" });
  const [{ thread_id }] =
    (await (await page.request.get(`${origin}/api/emails?${query}`)).json()).data;
  await page.goto(`${origin}/app/mail/all/t/${thread_id}${search}`);
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
  { name: "empty-box", path: "mail/{quotes}" },
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
  { name: "signature", path: "mailboxes", then: button(/^Settings of/) },
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
  {
    name: "talk",
    path: "mail/all/t/{talk}",
    then: (page) => page.locator(".unsent .draft").nth(2).waitFor(),
  },
  {
    name: "forward",
    path: "mail/all",
    async then(page) {
      await open("Invoice 2026")(page);
      await button("Forward")(page);
    },
  },
  { name: "long-link", path: "mail/all", then: open("Your weekly reading list") },
  { name: "no-subject", path: "mail/all", then: open("Stock by shelf") },
  { name: "german", path: "mail/all", then: open("Rechtsschutz") },
  { name: "arabic", path: "mail/all", then: open("استفسار") },
  { name: "files", path: "mail/all", then: open("Twelve scans") },
  { name: "odd-draft", path: "waiting/{odd}" },
  { name: "scheduled", path: "drafts?status=scheduled" },
  { name: "rejected", path: "drafts?status=rejected" },
  { name: "drafts-sent", path: "drafts?status=sent" },
  { name: "bring", path: "bring" },
  { name: "own-domain", path: "domains", then: button("Move mailboxes") },
  {
    name: "catch-all",
    path: "mailboxes",
    then: button(/^Settings of hello@shop/),
  },
  { name: "unread", path: "mail/all?is_read=false" },
  { name: "sent", path: "mail/all?direction=outbound" },
  { name: "menu", path: "mail/all", then: (page) => menu(page) },
  { name: "guide", path: "mail/all", as: "newcomer" },
  { name: "free-usage", path: "usage", as: "newcomer" },
  { name: "no-webhook", path: "webhooks", as: "newcomer" },
  { name: "no-domain", path: "domains", as: "newcomer" },
  { name: "no-app", path: "apps", as: "newcomer" },
  { name: "no-arrival", path: "arrivals", as: "newcomer" },
  { name: "no-draft", path: "drafts", as: "newcomer" },
  { name: "sign-in", path: "", as: "nobody" },
  { name: "register", path: "", as: "nobody", then: button("Create an account") },
  { name: "forgot", path: "", as: "nobody", then: button(/^Forgotten/) },
  { name: "reset", path: "reset?token=x", as: "nobody" },
  { name: "join", path: "join?token=x", as: "nobody" },
  { name: "confirm-email", path: "/verify-email?token=x", as: "nobody" },
  { name: "reference", path: "/docs", as: "nobody" },
  { name: "consent", path: "{consent}" },
  { name: "unknown-app", path: "{unknownApp}" },
];

/** The side bar of a phone. */
async function menu(page: Page): Promise<void> {
  const open = page.getByRole("button", { name: "Menu" });
  if (await open.isVisible()) await open.click();
}
