import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { refuseCommon } from "../../../../domain/accounts/new_password/new_password.ts";
import { account, data, operatorToken, type TestService, testService } from "../../../service.ts";

const listed = async () =>
  new TextDecoder().decode(gunzipSync(
    await Deno.readFile(
      new URL(
        "../../../../domain/accounts/new_password/common_passwords.txt.gz",
        import.meta.url,
      ),
    ),
  )).trimEnd().split("\n");

const isRefused = async (password: string) =>
  await refuseCommon(password, "password").then(() => false, () => true);

const register = (test: TestService, password: string) =>
  test.request("/api/auth/register", {
    json: { email: "ada@example.org", name: "Ada", password },
  });

// SPEC: password.common
Deno.test("the list has the common passwords that the length allows, sorted, each once", async () => {
  const all = await listed();
  assert.ok(all.length > 6_000, `${all.length}`);
  assert.deepEqual(all, [...new Set(all)].sort());
  assert.deepEqual(all.filter((each) => each.length < 8 || each !== each.toLowerCase()), []);
  const known = ["password", "12345678", "qwertyuiop", "iloveyou1", "trustno1", "p@ssw0rd"];
  assert.deepEqual(known.filter((each) => !all.includes(each)), []);
});

// SPEC: password.common
Deno.test("every password of the list is refused in any case, and no part, neighbour or pair of them is", async () => {
  const all = await listed(), set = new Set(all);
  for (const each of all) assert.ok(await isRefused(each), each);
  assert.ok(await isRefused("PassWord1"));
  for (const each of all.slice(0, 500)) {
    for (
      const other of [`${each}~`, `~${each}`, each.slice(1), `${each}\n${all[0]}`, `\n${each}`]
    ) {
      if (!set.has(other)) assert.ok(!await isRefused(other), JSON.stringify(other));
    }
  }
  for (const each of ["", "correct horse", "a long passphrase", "Ünïcödé wörds"]) {
    assert.ok(!await isRefused(each), each);
  }
});

// SPEC: password.common
Deno.test("a common password is 400 at registration and at the operator's creation of an account, which changes nothing", async () => {
  await using test = await testService();
  const made = (password: string) =>
    test.request("/operator/accounts", {
      token: operatorToken,
      json: { email: "ada@example.org", name: "Ada", password },
    });
  for (const answer of [await register(test, "Password123"), await made("qwertyuiop")]) {
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [400, "VALIDATION_ERROR"]);
    assert.match(JSON.stringify(error.details), /"password":"is one of the most common passwords/);
  }
  assert.equal((await register(test, "correct horse")).status, 201);
});

// SPEC: password.common
Deno.test("a common password is 400 where an invitation is accepted, which stays open", async () => {
  await using test = await testService();
  const me = await account(test);
  const { invitation_url } = await data(test.request("/api/members", {
    token: me.accessToken,
    json: { email: "eve@example.org", role: "viewer" },
  }));
  const accept = (password: string) =>
    test.request("/api/members/accept", {
      json: { token: invitation_url.split("=")[1], name: "Eve", password },
    });
  const refused = await accept("sunshine1");
  assert.deepEqual([refused.status, Object.keys((await refused.json()).error.details)], [400, [
    "field_errors",
  ]]);
  assert.equal((await accept("correct horse")).status, 200);
});

// SPEC: password.common
Deno.test("a login with a common password, set before it was refused, works as before and reads no list", async () => {
  await using test = await testService();
  const { userId, email } = await account(test);
  const { setPassword } = await import("../../../../domain/accounts/set_password.ts");
  await setPassword(test.service, { userId, memberId: userId }, "password123");
  const read = Deno.readFile;
  try {
    Deno.readFile = () => Promise.reject(new Error("the list was read"));
    const answer = await test.request("/api/auth/login", {
      json: { email, password: "password123" },
    });
    assert.equal(answer.status, 200);
  } finally {
    Deno.readFile = read;
  }
});
