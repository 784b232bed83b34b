import type { Hono } from "hono";
import { html } from "hono/html";
import type { Env } from "../http/env.ts";
import { sendPage } from "../oauth/page.ts";

export const verifyPath = "/verify-email";

/**
 * The page of the link that confirms an address. Opening it changes nothing, because programs that check links in mail open
 * it too: its button posts the token. The document is always the same; its script reads the token from the address bar.
 */
export function mountVerifyPage(app: Hono<Env>): void {
  app.get(verifyPath, (c) => {
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cache-Control", "no-store");
    return sendPage(c, { title, body, script });
  });
}

/** Relative paths, because BASE_URL may have a path. */
const script = `
const token = new URLSearchParams(location.search).get("token") ?? "";
const button = document.querySelector("button"), result = document.querySelector("output");
button.addEventListener("click", async () => {
  button.disabled = true;
  result.textContent = "";
  try {
    const answer = await fetch("api/auth/verify-email", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) {
      button.hidden = true;
      result.textContent = "Your address is confirmed. You can close this page.";
      return;
    }
    result.textContent = answer.status === 400
      ? "This link has been used or is older than 24 hours. Ask for a new one in your account."
      : "That did not work. Please try again in a minute.";
  } catch {
    result.textContent = "The service does not answer. Please try again in a minute.";
  }
  button.disabled = false;
});
`;

const title = "Confirm your address";

const body = html`<h1>${title}</h1>
<p>Press the button to confirm that this email address is yours.</p>
<p><button type="button" class="button primary">Confirm my address</button></p>
<p><output role="status"></output></p>
<noscript><p class="muted">The button needs JavaScript. Without it, post the token of the link to
<code>/api/auth/verify-email</code>.</p></noscript>`;
