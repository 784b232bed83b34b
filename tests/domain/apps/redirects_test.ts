import assert from "node:assert/strict";
import { isRedirectUri, redirectAllowed, redirectHost } from "../../../domain/apps/redirects.ts";

const clientWith = (...redirectUris: string[]) => ({ clientId: "c", name: "n", redirectUris });

// SPEC: oauth.redirects
Deno.test("a redirect is https, http on the same machine, or a private scheme with a dot or of an editor", () => {
  const right = [
    "https://app.example/cb",
    "https://app.example:8443/cb?x=1",
    "http://127.0.0.1/cb",
    "http://127.0.0.1:4711/cb",
    "http://[::1]:4711/cb",
    "http://localhost:4711/cb",
    "com.example.app:/cb",
    "com.example.app://host/cb",
    "cursor://anysphere.cursor-retrieval/oauth/callback",
    "vscode://vscode.microsoft-authentication",
    "vscode-insiders://x/y",
    "windsurf://x",
  ];
  const wrong = [
    ...["", "app.example/cb", "/cb", "http://app.example/cb", "http://10.0.0.1/cb"],
    ...["http://127.0.0.1.example/cb", "http://127.0.0.1@app.example/", "http://user@127.0.0.1/"],
    ...["https://user:secret@app.example/", "https:app.example/cb", "https:///cb"],
    ...["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd"],
    ...[
      "blob:https://app.example/1",
      "about:blank",
      "vbscript:x",
      "myapp://cb",
      "urn:ietf:wg:oauth:2.0:oob",
    ],
    ...["https://app.example/cb#", "https://app.example/cb#x", "com.example.app:/cb#x"],
    ...[
      "https://app.example/c b",
      "https://app.example/c\nb",
      "https://äpp.example/",
      " https://app.example/",
    ],
    ...["https://app.example\\@other.example/", `https://app.example/${"x".repeat(2_048)}`],
    ...[null, 1, {}, ["https://app.example/"]],
  ];
  for (const uri of right) assert.ok(isRedirectUri(uri), uri);
  for (const uri of wrong) assert.equal(isRedirectUri(uri), false, String(uri));
});

// SPEC: oauth.redirects
Deno.test("of a redirect on the same machine the port is not compared, everything else is compared exactly", () => {
  const client = clientWith(
    "http://127.0.0.1/cb?a=1",
    "http://localhost:1/cb",
    "https://app.example/cb",
    "http://[::1]",
    "http://127.1/cb",
  );
  for (
    const uri of [
      "http://127.0.0.1:55555/cb?a=1",
      "http://127.0.0.1/cb?a=1",
      "http://localhost:2/cb",
      "https://app.example/cb",
      "http://[::1]:4711/",
      "http://127.1/cb",
    ]
  ) assert.ok(redirectAllowed(client, uri), uri);
  for (
    const uri of [
      "http://127.0.0.1:55555/cb",
      "http://127.0.0.1:55555/other?a=1",
      "http://[::1]:55555/cb?a=1",
      "http://localhost:2/cb/",
      "https://localhost:1/cb",
      "http://localhost:2/a/../cb",
      "http://localhost:2/%63b",
      "http://127.0.0.1:2/cb",
      "http://2130706433/cb",
      "http://localhost:2/cb#x",
      "http://user@localhost:2/cb",
      "https://app.example:443/cb",
      "https://app.example/cb?x",
      "https://APP.example/cb",
      "https://app.example/cb/../cb",
      "https://app.example.other/cb",
    ]
  ) assert.equal(redirectAllowed(client, uri), false, uri);
});

// SPEC: oauth.redirects
Deno.test("a private-use scheme and its path are compared exactly", () => {
  const client = clientWith("cursor://anysphere/cb", "com.example.app:/cb");
  assert.ok(redirectAllowed(client, "cursor://anysphere/cb"));
  assert.ok(redirectAllowed(client, "com.example.app:/cb"));
  for (const uri of ["cursor://anysphere:1/cb", "cursor://other/cb", "com.example.app:/cb2"]) {
    assert.equal(redirectAllowed(client, uri), false, uri);
  }
});

Deno.test("people see the host of a redirect; of a private scheme the scheme and the host", () => {
  const hosts = {
    "https://app.example/cb": "app.example",
    "http://127.0.0.1:4711/cb": "127.0.0.1",
    "http://[::1]:4711/cb": "[::1]",
    "https://xn--pple-43d.com/": "xn--pple-43d.com",
    "cursor://anysphere.cursor-retrieval/oauth": "cursor://anysphere.cursor-retrieval",
    "com.example.app:/cb": "com.example.app:",
  };
  for (const [uri, host] of Object.entries(hosts)) assert.equal(redirectHost(uri), host);
});
