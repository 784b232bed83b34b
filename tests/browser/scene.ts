import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** What a guarantee has to work with: a page of its own, signed in unless its name says "sign in". */
export interface Scene {
  page: Page;
  stage: Stage;
  /** Errors of the console and exceptions so far. */
  complaints: string[];
}

/** A name that states what holds, and what shows it. */
export type Guarantees = Record<string, (scene: Scene) => Promise<void>>;

/** A message of one plain part. */
export const plain = (subject: string, body = "Hello.", more = "") =>
  `From: Ada <ada@example.net>\nTo: agent\nSubject: ${subject}\n${more}\n${body}\n`;

/** A message of one HTML part. */
export const htmlMail = (subject: string, html: string) =>
  plain(subject, html, "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n");

export const rows = (page: Page) =>
  page.getByRole("region", { name: "Message list" }).locator("li");

export async function openList(page: Page, { base }: Stage): Promise<void> {
  await page.goto(`${base}/app/mail/all`);
  await rows(page).first().waitFor();
}

/** By its address: its row may be far down. */
export async function openThread(page: Page, { base }: Stage, subject: string): Promise<void> {
  const answer = await page.request.get(`${base}/api/emails?${new URLSearchParams({ subject })}`);
  const [{ thread_id }] = (await answer.json()).data;
  await page.goto(`${base}/app/mail/all/t/${thread_id}`);
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
  await page.locator(".message-body").first().waitFor();
}
