import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { secretsOf } from "../../../domain/accounts/provider/ask_provider.ts";
import type { IdentityProvider, ProvedPerson } from "../../../domain/ports/identity_provider.ts";
import { type Behaviour, StandIn } from "../../identity_provider/stand_in.ts";

const secrets = secretsOf("of a browser");

async function signedIn(provider: StandIn, port: IdentityProvider): Promise<ProvedPerson> {
  return await port.personOf(provider.signIn(await port.startUrl(secrets)), secrets);
}

const fails = (kind: string) => ({ kind: was }: { kind?: string }) => was === kind;

// SPEC: provider.start
Deno.test("a sign-in asks for a code with PKCE, a state and a nonce, which differ", async () => {
  await using provider = new StandIn();
  const url = new URL(await provider.port().startUrl(secrets));
  assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: "letterbox",
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: "http://localhost:8000/api/auth/oidc/callback",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: hash("sha256", secrets.codeVerifier, "base64url"),
    code_challenge_method: "S256",
  });
  assert.equal(new Set(Object.values(secrets)).size, 3);
  for (const part of Object.values(secrets)) assert.match(part, /^[\w-]{43}$/);
  assert.notDeepEqual(secretsOf("of another browser"), secrets);
});

Deno.test("the person is that of the ID token, with the email that the provider verified", async () => {
  await using provider = new StandIn();
  const port = provider.port(), { issuer } = provider;
  const ada = { issuer, subject: "1", verifiedEmail: "ada@example.org", name: "Ada" };
  assert.deepEqual(await signedIn(provider, port), ada);
  const cases: [claims: object, changed: Partial<ProvedPerson>][] = [
    [{ email_verified: "true" }, {}],
    [{ email_verified: undefined, xms_edov: true }, {}],
    [{ email_verified: undefined, xms_edov: "1" }, {}],
    [{ email_verified: false }, { verifiedEmail: null }],
    [{ email_verified: "false" }, { verifiedEmail: null }],
    [{ email_verified: undefined }, { verifiedEmail: null }],
    [{ email_verified: undefined, xms_edov: false }, { verifiedEmail: null }],
    [{ email: "no address" }, { verifiedEmail: null }],
    [{ email: "a@b\r\nX: y" }, { verifiedEmail: null }],
    [{ email: ["ada@example.org"] }, { verifiedEmail: null }],
    [{ email: "ma\u212ae@example.org" }, { verifiedEmail: null }],
    [{ email: "jos\u00e9@example.org" }, { verifiedEmail: "jos\u00e9@example.org" }],
    [{ email: `${"a".repeat(250)}@example.org` }, { verifiedEmail: null }],
    [{ name: "A\u0000da " }, {}],
    [{ name: 7 }, { name: null }],
    [{ sub: "2", name: "W".repeat(300) }, { subject: "2", name: "W".repeat(200) }],
  ];
  for (const [claims, changed] of cases) {
    Object.assign(provider.does, { claims });
    assert.deepEqual(
      await signedIn(provider, port),
      { ...ada, ...changed },
      JSON.stringify(claims),
    );
  }
});

Deno.test("an email that the ID token lacks is asked of the userinfo endpoint, for the same subject alone", async () => {
  await using provider = new StandIn();
  const port = provider.port();
  const email = "ada@example.org";
  provider.does.claims = { email: undefined, email_verified: undefined };
  provider.does.userinfo = { sub: "1", email, email_verified: true };
  assert.equal((await signedIn(provider, port)).verifiedEmail, email);
  provider.does.userinfo = { sub: "2", email, email_verified: true };
  await assert.rejects(signedIn(provider, port), fails("wrong"));
  provider.does.metadata = { userinfo_endpoint: undefined };
  assert.equal((await signedIn(provider, provider.port())).verifiedEmail, null);
});

// SPEC: provider.checked
Deno.test("an ID token is refused if its signature, issuer, audience, times or nonce are wrong", async () => {
  await using provider = new StandIn();
  const port = provider.port();
  const now = Math.floor(Date.now() / 1_000);
  const wrong: Partial<Behaviour>[] = [
    { signed: "with another key" },
    { signed: "not at all" },
    { signed: "with the secret" },
    { signed: "with the public key as a secret" },
    {
      signed: "with the public key as a secret",
      metadata: { id_token_signing_alg_values_supported: ["none", "HS256", "RS256"] },
    },
    { claims: { iss: "https://elsewhere.example" } },
    { claims: { iss: `${provider.issuer}/` } },
    { claims: { aud: "another client" } },
    { claims: { aud: ["letterbox", "another client"] } },
    { claims: { aud: ["letterbox", "another client"], azp: "another client" } },
    { claims: { exp: now - 120 } },
    { claims: { exp: undefined } },
    { claims: { iat: undefined } },
    { claims: { iat: now + 60 } },
    { claims: { nbf: now + 3_600 } },
    { claims: { nonce: "another" } },
    { claims: { nonce: undefined } },
    { claims: { sub: undefined } },
    { claims: { sub: "" } },
    { claims: { sub: "7".repeat(256) } },
  ];
  const right = { ...provider.does };
  for (const change of wrong) {
    Object.assign(provider.does, right, change);
    await assert.rejects(signedIn(provider, port), fails("wrong"), JSON.stringify(change));
  }
  Object.assign(provider.does, right);
  // Clocks differ a little.
  Object.assign(provider.does, right, { claims: { sub: "7".repeat(255), iat: now + 20 } });
  assert.equal((await signedIn(provider, port)).subject.length, 255);
});

// SPEC: provider.bound
Deno.test("an answer is refused that has another state, issuer or code verifier, and asks the provider nothing", async () => {
  await using provider = new StandIn();
  const port = provider.port();
  const url = await port.startUrl(secrets);
  const asked = () => provider.came.filter((path) => path === "/token").length;
  const changed = (name: string, value: string | null) => {
    const query = provider.signIn(url);
    if (value === null) query.delete(name);
    else query.set(name, value);
    return port.personOf(query, secrets);
  };
  for (
    const [name, value] of [
      ["state", "another"],
      ["state", null],
      ["iss", "https://elsewhere.example"],
      ["iss", null],
      ["code", null],
    ] as const
  ) {
    await assert.rejects(changed(name, value), fails("wrong"), `${name} ${value}`);
  }
  const twice = provider.signIn(url);
  twice.append("code", "another");
  await assert.rejects(port.personOf(twice, secrets), fails("wrong"));
  assert.equal(asked(), 0);
  const { codeVerifier } = secretsOf("of another browser");
  const query = provider.signIn(url);
  await assert.rejects(port.personOf(query, { ...secrets, codeVerifier }), fails("wrong"));
  assert.equal(asked(), 1);
});

Deno.test("a refusal of the provider is another error than a provider that does not work", async () => {
  await using provider = new StandIn();
  const port = provider.port();
  await port.startUrl(secrets);
  const answered = (error: string) =>
    port.personOf(
      new URLSearchParams({ error, state: secrets.state, iss: provider.issuer }),
      secrets,
    );
  await assert.rejects(answered("access_denied"), fails("refused"));
  await assert.rejects(answered("temporarily_unavailable"), fails("down"));
  await assert.rejects(
    answered("<b>\n".repeat(99)),
    ({ message }: Error) => message.length < 200 && !message.includes("\n"),
  );
  for (const [error, kind] of [["invalid_grant", "wrong"], ["invalid_client", "down"]] as const) {
    provider.does.tokenError = error;
    await assert.rejects(signedIn(provider, port), fails(kind), error);
  }
});

// SPEC: provider.down
Deno.test("a provider that is away, slow, broken or endless is down; the next sign-in asks it again", async () => {
  await using provider = new StandIn();
  const port = provider.port({ timeoutMs: 300 });
  for (const how of ["hangs", "500", "long", "redirects"] as const) {
    provider.does.fails = how;
    await assert.rejects(port.startUrl(secrets), fails("down"), how);
  }
  provider.does.fails = null;
  const url = await port.startUrl(secrets);
  for (const how of ["hangs", "500", "long"] as const) {
    const query = provider.signIn(url);
    provider.does.fails = how;
    await assert.rejects(port.personOf(query, secrets), fails("down"), how);
  }
  const led = provider.signIn(url);
  provider.does.fails = "redirects";
  await assert.rejects(port.personOf(led, secrets), fails("wrong"));
  assert.ok(!provider.came.includes("/elsewhere"));
  const gone = provider.port();
  await provider[Symbol.asyncDispose]();
  await assert.rejects(gone.startUrl(secrets), fails("down"));
});

Deno.test("metadata that names another issuer, or no keys, is as if the provider were down", async () => {
  await using provider = new StandIn();
  provider.does.metadata = { issuer: "https://elsewhere.example" };
  await assert.rejects(provider.port().startUrl(secrets), fails("down"));
  for (const lacking of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    provider.does.metadata = { [lacking]: undefined };
    await assert.rejects(provider.port().startUrl(secrets), fails("down"), lacking);
  }
});

// SPEC: provider.cached
Deno.test("metadata is kept an hour and keys for minutes; nothing is asked before the first sign-in", async () => {
  await using provider = new StandIn();
  let elapsed = 0;
  const port = provider.port({ elapsed: () => elapsed });
  const counts = () =>
    ["/.well-known/openid-configuration", "/keys"].map((path) =>
      provider.came.filter((came) => came === path).length
    );
  assert.deepEqual(counts(), [0, 0]);
  await Promise.all([1, 2, 3].map(() => port.startUrl(secrets)));
  assert.deepEqual(counts(), [1, 0]);
  for (let n = 0; n < 3; n++) await signedIn(provider, port);
  assert.deepEqual(counts(), [1, 1]);
  elapsed = 3_600_000;
  await port.startUrl(secrets);
  assert.deepEqual(counts(), [2, 1]);
});

Deno.test("the secret goes as the provider takes it: by Basic unless it names the form", async () => {
  await using provider = new StandIn();
  for (const methods of [undefined, ["client_secret_basic"], ["client_secret_post"]]) {
    provider.does.metadata = { token_endpoint_auth_methods_supported: methods };
    assert.equal((await signedIn(provider, provider.port())).subject, "1");
  }
});

Deno.test("no start loads the library: only a sign-in does", async () => {
  const folder = new URL("../../../adapters/identity_provider/", import.meta.url);
  let dynamic = 0;
  for await (const { name } of Deno.readDir(folder)) {
    const text = await Deno.readTextFile(new URL(name, folder));
    assert.doesNotMatch(text, /^import (?!type\b)[^;]*"openid-client"/m, name);
    dynamic += text.match(/[^f] import\("openid-client"\)/g)?.length ?? 0;
  }
  assert.equal(dynamic, 1);
});
