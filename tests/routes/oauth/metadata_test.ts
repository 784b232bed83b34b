import assert from "node:assert/strict";
import { grantableScopes } from "../../../domain/core/caller.ts";
import { readSettings, SettingsError } from "../../../domain/core/settings.ts";
import { account, testService } from "../../service.ts";
import { connect, read } from "./connect.ts";

const env = { BASE_URL: "https://box.example/" };
const issuer = "https://box.example";
const resourcePath = "/.well-known/oauth-protected-resource";

// SPEC: oauth.resource
Deno.test("the metadata of the resource is served to everybody at the root and for its path", async () => {
  await using test = await testService({ env });
  for (const path of [resourcePath, `${resourcePath}/v1/mcp`, `${resourcePath}?x=1&x=2`]) {
    const answer = await test.request(path, { headers: { authorization: "Bearer x" } });
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(answer.headers.get("www-authenticate"), null);
    assert.deepEqual(await read(answer), {
      status: 200,
      body: {
        resource: `${issuer}/v1/mcp`,
        authorization_servers: [issuer],
        scopes_supported: grantableScopes,
        bearer_methods_supported: ["header"],
        resource_name: "Letterbox",
      },
    });
  }
});

// SPEC: oauth.server
Deno.test("the metadata of the authorization server is served under both names", async () => {
  await using test = await testService({ env });
  for (const name of ["oauth-authorization-server", "openid-configuration"]) {
    const answer = await test.request(`/.well-known/${name}`);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const { status, body } = await read(answer);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [...grantableScopes, "offline_access"],
    });
  }
});

// SPEC: oauth.cors
Deno.test("a page of another origin may ask the endpoints; other methods are 405", async () => {
  await using test = await testService({ env });
  for (
    const [path, method] of [[resourcePath, "GET"], ["/oauth/token", "POST"], [
      "/oauth/register",
      "POST",
    ]]
  ) {
    const preflight = await test.request(path, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": method,
        "access-control-request-headers": "mcp-protocol-version",
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.equal(preflight.headers.get("access-control-allow-methods"), method);
    assert.match(
      preflight.headers.get("access-control-allow-headers") ?? "",
      /MCP-Protocol-Version/,
    );
    const other = await test.request(path, { method: "DELETE" });
    assert.equal(other.status, 405);
    assert.match(other.headers.get("allow") ?? "", new RegExp(method));
  }
});

// SPEC: oauth.setting
Deno.test("with MCP_OAUTH=off every route of it is 404, the 401 is as before, and tokens of apps are dead", async () => {
  await using on = await testService({ instances: 1 });
  const owner = await account(on);
  const { access_token: token } = await connect(on, owner);
  await using test = await testService({ kv: on.kv, env: { MCP_OAUTH: "off" } });
  const paths = [
    ...[resourcePath, `${resourcePath}/v1/mcp`, "/.well-known/oauth-authorization-server"],
    ...["/.well-known/openid-configuration", "/oauth/register", "/oauth/token", "/oauth/revoke"],
    ...["/oauth/authorize", "/api/apps", "/api/apps/x"],
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await test.request(path, { method, token: owner.accessToken });
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
  }
  for (const given of [undefined, token]) {
    const refused = await test.request("/v1/mcp", { method: "POST", token: given });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="letterbox"');
  }
});

// SPEC: oauth.setting
Deno.test("MCP_OAUTH is on, but off with a BASE_URL that has a path, where an explicit on does not start", () => {
  const read = (given: Record<string, string>) => readSettings("dev", given).MCP_OAUTH;
  assert.equal(read({}), "on");
  assert.equal(read({ MCP_OAUTH: "off" }), "off");
  assert.equal(read({ BASE_URL: "https://box.example/" }), "on");
  assert.equal(read({ BASE_URL: "https://box.example/mail" }), undefined);
  assert.equal(read({ BASE_URL: "https://box.example/mail", MCP_OAUTH: "off" }), "off");
  assert.throws(
    () => read({ BASE_URL: "https://box.example/mail", MCP_OAUTH: "on" }),
    SettingsError,
  );
  assert.throws(() => read({ MCP_OAUTH: "yes" }), SettingsError);
});
