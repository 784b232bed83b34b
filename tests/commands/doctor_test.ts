import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { systemDns } from "../../adapters/dns/system.ts";
import { faultOfEncoders } from "../../adapters/embeddings/own_encoders.ts";
import { examine } from "../../commands/doctor/doctor.ts";
import type { Deployment, Finding } from "../../commands/doctor/finding.ts";
import { systemClock } from "../../domain/core/clock.ts";
import { startDnsServer } from "../adapters/dns/dns_server.ts";
import { startSmtpRelay } from "../adapters/mailer/smtp_relay.ts";
import { type Behaviour, StandIn } from "../identity_provider/stand_in.ts";
import { freePort, startProcess } from "../service_process.ts";
import { runHere, runProgram } from "./run_here.ts";

const tls = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

type Env = Record<string, string>;

/** The provider's key, the relay's password, and the tokens: no report may have one of these. */
const secrets = {
  OPENAI_API_KEY: "key-of-the-provider",
  INBOUND_TOKENS: "inbound-token-of-the-doctor,another-inbound-token",
  OPERATOR_TOKEN: "operator-token-of-the-doctor",
  password: "pass of the relay",
};

function serve(answer: (request: Request) => Response): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
}

const url = ({ addr }: Deno.HttpServer<Deno.NetAddr>) => `http://127.0.0.1:${addr.port}`;

async function examined(env: Env, changed: Partial<Deployment> = {}): Promise<Finding[]> {
  return await examine(env, (settings) => ({
    settings,
    dns: systemDns({ server: settings.DNS_SERVER, deadlineMs: 3_000 }),
    clock: systemClock,
    patienceMs: 5_000,
    freeBytes: () => Promise.resolve(10 ** 12),
    faultOfEncoders,
    memory: 2 ** 33,
    ...changed,
  }));
}

const wrongOf = (findings: Finding[]) => findings.filter(({ state }) => state === "wrong");

// SPEC: command.doctor
Deno.test("doctor finds no fault in a correct deployment, names the setting of each planted mistake, and shows no secret", async (t) => {
  const dir = await Deno.makeTempDir();
  const smtpPort = freePort();
  const service = startProcess({
    dir,
    port: freePort(),
    env: { SMTP_LISTEN_PORT: String(smtpPort), SMTP_URL: "" },
  });
  const provider = serve((request) => {
    const [, place] = new URL(request.url).pathname.split("/");
    if (place === "moved" || place === "301") {
      return new Response(null, { status: 301, headers: { location: "https://other.test/" } });
    }
    if (/^\d+$/.test(place)) return new Response("<html>", { status: Number(place) });
    const knows = request.headers.get("authorization") === `Bearer ${secrets.OPENAI_API_KEY}`;
    return new Response("[]", { status: knows ? 200 : 401 });
  });
  const dns = await startDnsServer(
    new Map([
      ["mx.agents.test", { a: ["127.0.0.1"] }],
      ["agents.test", { mx: [{ preference: 10, exchange: "mx.agents.test" }] }],
      ["wrong.test", { mx: [{ preference: 10, exchange: "mx.elsewhere.test" }] }],
      ["broken.test", { fault: "SERVFAIL" }],
    ]),
  );
  const relay = await startSmtpRelay({}, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === "box" && password === secrets.password
        ? callback(null, { user: username })
        : callback(new Error("no")),
  });
  const open = await startSmtpRelay({}, { disabledCommands: ["STARTTLS", "AUTH"] });
  const relayUrl = (password: string) =>
    relay.url.replace("//", `//box:${encodeURIComponent(password)}@`);
  const { password: _, ...tokens } = secrets;
  const sound: Env = {
    ...tokens,
    BASE_URL: service.base,
    KV_PATH: `${dir}/kv.sqlite`,
    SHARED_DOMAINS: "agents.test",
    MX_HOST: "mx.agents.test",
    DNS_SERVER: dns.address,
    SMTP_URL: relayUrl(secrets.password),
    SMTP_LISTEN_PORT: String(smtpPort),
    SMTP_LISTEN_TLS_KEY: tls("mx.key.pem"),
    SMTP_LISTEN_TLS_CERT: tls("mx.cert.pem"),
    OPENAI_BASE_URL: url(provider),
  };
  const texts: string[] = [];
  const planted = (
    mistake: string,
    change: Env,
    setting: string,
    reason: RegExp,
    changed: Partial<Deployment> = {},
  ) =>
    t.step(mistake, async () => {
      const env = { ...sound, ...change };
      const findings = await examined(env, changed);
      texts.push(...findings.map(({ text }) => text));
      const found = wrongOf(findings);
      assert.deepEqual(
        found.map((each) => [each.setting, reason.test(each.text)]),
        [[setting, true]],
        JSON.stringify(found),
      );
    });
  try {
    assert.ok(await service.up);
    const findings = await examined(sound);
    assert.deepEqual(wrongOf(findings), []);
    for (
      const setting of [
        ...["settings", "BASE_URL", "KV_PATH", "MX_HOST", "SHARED_DOMAINS", "SMTP_URL"],
        ...["SMTP_LISTEN_PORT", "SMTP_LISTEN_TLS_CERT", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
      ]
    ) {
      assert.ok(findings.some((each) => each.setting === setting && each.state === "ok"), setting);
    }
    assert.deepEqual(relay.taken, []);

    await planted(
      "wrong MX",
      { SHARED_DOMAINS: "agents.test,wrong.test" },
      "SHARED_DOMAINS",
      /wrong\.test names mx\.elsewhere\.test/,
    );
    await planted(
      "relay login",
      { SMTP_URL: relayUrl("another pass of it") },
      "SMTP_URL",
      /refuses the login/,
    );
    await planted(
      "relay without AUTH",
      {
        SMTP_URL: relayUrl(secrets.password).replace(
          relay.url.split("//")[1],
          open.url.split("//")[1],
        ),
      },
      "SMTP_URL",
      /refuses the login/,
    );
    await planted(
      "closed port",
      { SMTP_LISTEN_PORT: String(freePort()) },
      "SMTP_LISTEN_PORT",
      /closed/,
    );
    await planted(
      "closed port of the relay",
      { SMTP_URL: `smtp://127.0.0.1:${freePort()}` },
      "SMTP_URL",
      /closed/,
    );
    await planted(
      "expired certificate",
      {
        SMTP_LISTEN_TLS_KEY: tls("expired.key.pem"),
        SMTP_LISTEN_TLS_CERT: tls("expired.cert.pem"),
      },
      "SMTP_LISTEN_TLS_CERT",
      /expired on 2021-01-01/,
    );
    await planted(
      "certificate of another name",
      { SMTP_LISTEN_TLS_KEY: tls("sns.key.pem"), SMTP_LISTEN_TLS_CERT: tls("hook_test.cert.pem") },
      "SMTP_LISTEN_TLS_CERT",
      /not for MX_HOST/,
    );
    await planted(
      "key of another certificate",
      { SMTP_LISTEN_TLS_KEY: tls("expired.key.pem") },
      "SMTP_LISTEN_TLS_KEY",
      /is not the key of/,
    );
    await planted(
      "key that is not there",
      { SMTP_LISTEN_TLS_KEY: `${dir}/no.key.pem` },
      "SMTP_LISTEN_TLS_KEY",
      /can read/,
    );
    await planted(
      "one domain whose DNS fails, and one after it",
      { SHARED_DOMAINS: "broken.test,agents.test" },
      "SHARED_DOMAINS",
      /broken\.test cannot be read: .*SERVFAIL/,
    );
    await planted(
      "a provider that redirects",
      { OPENAI_BASE_URL: `${url(provider)}/moved` },
      "OPENAI_BASE_URL",
      /answers 301 for \/moved\/models/,
    );
    for (
      const [status, reason] of [[502, /proxy .*: 502/], [301, /redirects/], [
        404,
        /another/,
      ]] as const
    ) {
      await planted(
        `${status} at BASE_URL`,
        { BASE_URL: `${url(provider)}/${status}` },
        "BASE_URL",
        reason,
      );
    }
    await t.step(
      "a provider without the path of its models is not said to take the key",
      async () => {
        const findings = await examined({ ...sound, OPENAI_BASE_URL: `${url(provider)}/404` });
        const about = findings.filter(({ setting }) => setting.startsWith("OPENAI_"));
        assert.deepEqual(about.map(({ state }) => state), ["unknown", "ok"]);
        assert.match(about[0].text, /answers 404 for \/404\/models/);
      },
    );
    await planted("missing provider key", { OPENAI_API_KEY: "" }, "OPENAI_API_KEY", /none is set/);
    await planted(
      "damaged encoders",
      { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", EMBEDDINGS: "builtin" },
      "EMBEDDINGS",
      /rows.u4: damaged or missing/,
      {
        faultOfEncoders: () => Promise.resolve("models/use/rows.u4: damaged or missing; take"),
      },
    );
    await planted("full disk", {}, "KV_PATH", /full: 3 MB/, {
      freeBytes: () => Promise.resolve(3_500_000),
    });
    await planted(
      "unreachable DNS",
      { DNS_SERVER: `127.0.0.1:${freePort()}` },
      "DNS_SERVER",
      /does not answer/,
    );
    await planted(
      "malformed PLAN_OVERRIDES",
      { PLAN_OVERRIDES: '{"enterprise":' },
      "PLAN_OVERRIDES",
      /not valid/,
    );
    await planted(
      "closed BASE_URL",
      { BASE_URL: `http://127.0.0.1:${freePort()}` },
      "BASE_URL",
      /closed/,
    );
    await planted("wrong BASE_URL", { BASE_URL: url(provider) }, "BASE_URL", /another program/);

    await t.step("expired certificate of BASE_URL", async () => {
      const secure = Deno.serve({
        hostname: "127.0.0.1",
        port: 0,
        onListen() {},
        key: await Deno.readTextFile(tls("expired.key.pem")),
        cert: await Deno.readTextFile(tls("expired.cert.pem")),
      }, () => new Response());
      const found = wrongOf(
        await examined({ ...sound, BASE_URL: `https://localhost:${secure.addr.port}` }),
      );
      await secure.shutdown();
      assert.deepEqual(found.map(({ setting }) => setting), ["BASE_URL"]);
      assert.match(found[0].text, /certificate/);
    });

    await t.step("clock 10 minutes off", async () => {
      const early: Deployment["clock"] = Object.assign(Object.create(systemClock), {
        now: () => systemClock.now() + 600_000,
      });
      const found = wrongOf(await examined(sound, { clock: early }));
      assert.deepEqual(
        new Set(found.map(({ setting }) => setting)),
        new Set(["BASE_URL", "OPENAI_BASE_URL"]),
      );
      for (const { text } of found) assert.match(text, /\b(59\d|6\d\d) s behind/);
    });

    await t.step("two processes", async () => {
      const elsewhere = await Deno.makeTempDir();
      const other = startProcess({ dir: elsewhere, port: freePort() });
      try {
        assert.ok(await other.up);
        const found = wrongOf(await examined({ ...sound, KV_PATH: `${elsewhere}/kv.sqlite` }));
        assert.deepEqual(found.map(({ setting }) => setting), ["KV_PATH"]);
        assert.match(found[0].text, /two processes/);
        await other.kill();
        const left = wrongOf(await examined({ ...sound, KV_PATH: `${elsewhere}/kv.sqlite` }));
        assert.match(left[0].text, /no service holds/);
      } finally {
        await other.kill();
        await Deno.remove(elsewhere, { recursive: true });
      }
    });

    await t.step({
      name: "read-only data folder",
      ignore: Deno.build.os !== "linux",
      async fn() {
        // root may write read-only files; in this place nobody may write.
        const found = wrongOf(await examined({ ...sound, KV_PATH: "/proc/sys/kv.sqlite" }));
        assert.ok(
          found.some(({ setting, text }) =>
            setting === "KV_PATH" && /\/proc\/sys cannot be written/.test(text)
          ),
          JSON.stringify(found),
        );
      },
    });

    await t.step(
      "the command prints a line for each check, ends with 0, 1 or 2, and prints no secret",
      async () => {
        const run = async (env: Env, args: string[] = [], how = runHere) => {
          const { code, stdout, stderr } = await how(["doctor", ...args], env);
          return { code, text: stdout + stderr };
        };
        const good = await run(sound, [], runProgram);
        assert.doesNotMatch(good.text, /^MEND /m);
        assert.equal(good.code, 0, good.text);
        const bad = await run({ ...sound, PORT: "http", SMTP_URL: relayUrl("another pass") });
        assert.equal(bad.code, 1);
        assert.match(bad.text, /^MEND {3}PORT: is not valid/m);
        assert.match(bad.text, /^MEND {3}SMTP_URL: the relay \S+ refuses the login/m);
        assert.match(bad.text, /^ok {5}BASE_URL: /m);
        assert.equal((await run(sound, ["--mail"])).code, 2);
        texts.push(good.text, bad.text);
      },
    );
    const all = texts.join("\n");
    for (const secret of Object.values(secrets).flatMap((each) => each.split(","))) {
      assert.ok(!all.includes(secret) && !all.includes(encodeURIComponent(secret)), secret);
    }
    assert.deepEqual(relay.taken, []);
  } finally {
    await service.kill();
    await provider.shutdown();
    await relay.close();
    await open.close();
    await dns[Symbol.asyncDispose]();
    await Deno.remove(dir, { recursive: true });
  }
});

// SPEC: command.doctor
Deno.test("without any setting doctor still runs every check, and names what production needs", async () => {
  const findings = await examined({ DNS_SERVER: "127.0.0.1:1", KV_PATH: ":memory:" });
  assert.deepEqual(wrongOf(findings).map(({ setting }) => setting), [
    ...["BASE_URL", "SHARED_DOMAINS", "MX_HOST", "INBOUND_TOKENS"],
  ]);
});

// SPEC: command.doctor
Deno.test("doctor says in one line whether people can sign in with the provider, within its time", async (t) => {
  await using provider = new StandIn();
  const OIDC_ISSUER = provider.issuer;
  const env = {
    ...{ DNS_SERVER: "127.0.0.1:1", KV_PATH: ":memory:", WEBHOOK_ALLOW_INSECURE: "1" },
    ...{ OIDC_ISSUER, OIDC_CLIENT_ID: "letterbox", OIDC_CLIENT_SECRET: "secret-of-the-client" },
  };
  const host = new URL(OIDC_ISSUER).host;
  const about = async (changed: Env = {}, patienceMs = 5_000) =>
    (await examined({ ...env, ...changed }, { patienceMs })).filter(({ setting, text }) =>
      setting === "OIDC_ISSUER" && !text.includes("go together")
    ).map(({ state, text }) => `${state}: ${text}`);
  const right = { ...provider.does };
  const cases: [does: Partial<Behaviour>, said: string][] = [
    [{}, `ok: the metadata of ${host} can be read`],
    [{ fails: "500" }, `wrong: ${host} answers 500 for /.well-known/openid-configuration`],
    [{ fails: "redirects" }, `wrong: ${host} answers 302 for /.well-known/openid-configuration`],
    [{ fails: "long" }, `wrong: the metadata of ${host} is no JSON object`],
    [{ fails: "hangs" }, `wrong: ${host} does not answer: nothing answers in time`],
    [
      { metadata: { issuer: "https://elsewhere.example" } },
      `wrong: the metadata of ${host} names https://elsewhere.example/ as issuer`,
    ],
    [{ metadata: { issuer: undefined } }, `wrong: the metadata of ${host} names no URL as issuer`],
    [
      { metadata: { token_endpoint: undefined, jwks_uri: undefined } },
      `wrong: the metadata of ${host} lacks token_endpoint, jwks_uri`,
    ],
  ];
  for (const [does, said] of cases) {
    await t.step(said, async () => {
      Object.assign(provider.does, right, does);
      assert.deepEqual(await about({}, does.fails === "hangs" ? 300 : 5_000), [said]);
    });
  }
  Object.assign(provider.does, right);
  assert.deepEqual(
    await about({ OIDC_ISSUER: `http://127.0.0.1:${freePort()}` }).then((found) =>
      found.map((each) => each.replace(/:\d+/, ""))
    ),
    ["wrong: 127.0.0.1 does not answer: the port is closed"],
  );
  assert.deepEqual(await about({ OIDC_ISSUER: "" }), []);
});
