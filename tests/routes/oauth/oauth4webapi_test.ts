import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { account, data, mailbox } from "../../service.ts";
import { allow, world } from "./behind_a_port.ts";

const redirectUri = "com.example.app:/callback";
/** The service is behind http here. */
const insecure = { [oauth.allowInsecureRequests]: true } as const;

// SPEC: oauth.clients
Deno.test("a client that checks every rule of the RFCs logs in, refreshes on another instance, is told its scopes, and revokes", async () => {
  await using it = await world();
  const owner = await account(it.test);
  await mailbox(it.test, owner);

  // RFC 9728: what the challenge of a call names.
  const challenged = await fetch(it.url, { method: "POST", body: "{}" });
  assert.equal(challenged.status, 401);
  await challenged.body?.cancel();
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(
    challenged.headers.get("www-authenticate") ?? "",
  )!;
  assert.equal(metadata, `${it.base}/.well-known/oauth-protected-resource/v1/mcp`);
  const resource = await oauth.processResourceDiscoveryResponse(
    it.url,
    await oauth.resourceDiscoveryRequest(it.url, insecure),
  );
  const issuer = new URL(resource.authorization_servers![0]);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));

  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [redirectUri], client_name: "oauth4webapi" },
      insecure,
    ),
  );
  const verifier = oauth.generateRandomCodeVerifier(), state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint!);
  url.search = new URLSearchParams({
    ...{ response_type: "code", client_id: client.client_id, redirect_uri: redirectUri, state },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    ...{ code_challenge_method: "S256", scope: "mailboxes:read offline_access" },
    resource: resource.resource,
  }).toString();
  const answer = await allow(it.test, owner, url);
  const params = oauth.validateAuthResponse(server, client, answer, state);

  const exchange = () =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      params,
      redirectUri,
      verifier,
      { additionalParameters: { resource: resource.resource }, ...insecure },
    );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
  assert.equal(tokens.scope, "mailboxes:read");
  const api = (path: string, token: string) =>
    oauth.protectedResourceRequest(
      token,
      "GET",
      new URL(`${it.base}${path}`),
      undefined,
      undefined,
      insecure,
    );
  const boxes = await api("/v1/api/mailboxes", tokens.access_token);
  assert.equal((await boxes.json()).mailboxes.length, 1);
  await assert.rejects(api("/v1/api/emails", tokens.access_token), (error) => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
    assert.equal(error.status, 403);
    const [{ parameters }] = error.cause;
    assert.equal(parameters.error, "insufficient_scope");
    assert.equal(parameters.scope, "mailboxes:read emails:read");
    return true;
  });

  await using next = await it.replace();
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refresh_token!,
      insecure,
    ),
  );
  assert.equal(renewed.scope, "mailboxes:read");
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), renewed.access_token, insecure),
  );
  await assert.rejects(api("/v1/api/mailboxes", renewed.access_token), { status: 401 });
  assert.deepEqual(await data(next.request("/api/apps", { token: owner.accessToken })), []);
  await assert.rejects(
    exchange().then((response) => oauth.processAuthorizationCodeResponse(server, client, response)),
    (error) => error instanceof oauth.ResponseBodyError && error.error === "invalid_grant",
  );
});
