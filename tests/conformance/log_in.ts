import assert from "node:assert/strict";

/** Where the suite waits for the browser, and what it registers. */
export const callbackPort = 8_917;
const redirectUri = `http://127.0.0.1:${callbackPort}/callback`;

/** The client_id of a client of the suite. */
export async function registerSuite(base: string): Promise<string> {
  const answer = await fetch(`${base}/oauth/register`, {
    method: "POST",
    body: JSON.stringify({ client_name: "Conformance suite", redirect_uris: [redirectUri] }),
  });
  assert.equal(answer.status, 201);
  return (await answer.json()).client_id;
}

/** What a person does in the browser: opens the consent page, allows all that is ticked, and is led to the redirect. */
export async function allowInBrowser(url: string, accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const page = await fetch(url, { headers });
  assert.equal(page.status, 200);
  const html = await page.text();
  const ticked = html.matchAll(/name="(\w+)" value="([^"]+)"(?: checked)/g);
  const body = new URLSearchParams([...ticked].map(([, name, value]) => [name, value]));
  body.append("decision", "allow");
  const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
  await answer.body?.cancel();
  assert.equal(answer.status, 302);
  const led = await fetch(answer.headers.get("location") ?? "");
  await led.body?.cancel();
}
