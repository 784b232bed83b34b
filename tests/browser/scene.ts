import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { personOf } from "../../domain/accounts/member.ts";
import { beginSession } from "../../domain/accounts/sessions.ts";
import { type Allowed, connect, register } from "../routes/oauth/connect.ts";
import { mailbox } from "../service.ts";
import type { Stage } from "./stage.ts";

/** The inputs of a guarantee: its own page, signed in unless its name says "sign in". */
export interface Scene {
  page: Page;
  stage: Stage;
  /** Errors of the console and exceptions so far. */
  complaints: string[];
}

/** A name that states the guarantee, and the test of it. */
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

/** By its URL, because its row may be far down. */
export async function openThread(page: Page, { base }: Stage, subject: string): Promise<void> {
  const answer = await page.request.get(`${base}/api/emails?${new URLSearchParams({ subject })}`);
  const [{ thread_id }] = (await answer.json()).data;
  await page.goto(`${base}/app/mail/all/t/${thread_id}`);
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
  await page.locator(".message-body").first().waitFor();
}

/** An access token of a new session: the twentieth session after it ends the first. */
export async function newSession({ test, me }: Stage): Promise<string> {
  return (await beginSession(test.service, personOf(me))).accessToken;
}

/** An app with a name of its own, which a person of the account has allowed. Returns its access token. */
export async function connectedApp(
  stage: Stage,
  name: string,
  allowed: Omit<Allowed, "clientId"> = {},
): Promise<string> {
  const { redirectUri = "https://agent.example/callback" } = allowed;
  const { test, me } = stage;
  const clientId = await register(test, { client_name: name, redirect_uris: [redirectUri] });
  const owner = { ...me, accessToken: await newSession(stage) };
  const { access_token } = await connect(test, owner, { ...allowed, clientId, redirectUri });
  return access_token;
}

/** A draft to `to` that waits, in a new mailbox in which a person approves everything. Returns its draft_id. */
export async function heldDraft(
  stage: Stage,
  local: string,
  subject: string,
  to = "new@example.net",
): Promise<string> {
  const { test, me } = stage;
  const box = await mailbox(test, me, local);
  const policy = await test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, {
    method: "PUT",
    token: await newSession(stage),
    json: { approval: "always" },
  });
  assert.equal(policy.status, 200);
  const sent = await test.request("/v1/api/emails/send", {
    token: me.key,
    json: { mailbox_id: box.mailbox_id, to: [to], subject, body_text: "A quote." },
  });
  const { data } = await sent.json();
  assert.equal(data.status, "pending_approval");
  return data.draft_id;
}

/** A webhook whose receiver refuses connections, with a test event that has failed. Returns its URL. */
export async function brokenWebhook({ test, me }: Stage, path: string): Promise<string> {
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${closed.addr.port}/${path}`;
  closed.close();
  const ask = async (path: string, json: unknown) =>
    (await (await test.request(path, { token: me.key, json })).json()).data;
  const { webhook_id } = await ask("/v1/api/webhooks", { url, events: ["email.failed"] });
  await ask(`/v1/api/webhooks/${webhook_id}/test`, {});
  return url;
}
