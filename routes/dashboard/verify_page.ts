import { createHash } from "node:crypto";
import type { Hono } from "hono";
import type { Env } from "../http/env.ts";

export const verifyPath = "/verify-email";

/**
 * The page of the link that confirms an address. Opening it changes nothing, because programs that check links in mail open
 * it too: its button posts the token. The document is always the same; its script reads the token from the address bar.
 */
export function mountVerifyPage(app: Hono<Env>): void {
  app.get(verifyPath, (c) => c.body(document, 200, headers));
}

const style = `
body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 32em; margin: 4em auto;
  padding: 0 1em; color: #1c1c1c; background: #fff }
button { font: inherit; padding: .5em 1.2em; border: 0; border-radius: 4px; background: #1f5fbf;
  color: #fff; cursor: pointer }
button[disabled] { opacity: .5; cursor: default }
`;

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

const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Confirm your address</title>
<style>${style}</style>
</head>
<body>
<h1>Confirm your address</h1>
<p>Press the button to confirm that this email address is yours.</p>
<p><button type="button">Confirm my address</button></p>
<p><output role="status"></output></p>
<noscript><p>The button needs JavaScript. Without it, post the token of the link to
<code>/api/auth/verify-email</code>.</p></noscript>
<script>${script}</script>
</body>
</html>
`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only this script and this style; no page may frame the button; the token goes to no other site. */
const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; script-src ${hashOf(script)}; style-src ${
    hashOf(style)
  }; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};
