import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readSettings, SettingsError } from "../../../domain/core/settings.ts";
import { definitions } from "../../../domain/core/settings/definitions.ts";

const production = {
  BASE_URL: "https://mail.example.com/",
  SHARED_DOMAINS: "Agents.Example.com, second.example",
  MX_HOST: "mx.example.com",
  INBOUND_TOKENS: "a-token-of-sixteen-or-more,another-token-of-sixteen",
};

Deno.test("dev needs no setting at all", () => {
  const settings = readSettings("dev", {});
  assert.equal(settings.PORT, 8000);
  assert.equal(settings.BASE_URL, "http://localhost:8000");
  assert.deepEqual(settings.SHARED_DOMAINS, ["agents.localhost"]);
  assert.equal(settings.WEBHOOK_ALLOW_INSECURE, true);
  assert.equal(settings.SMTP_LISTEN_PORT, 2525);
  assert.equal(settings.SMTP_SUBMISSION_PORT, 2587);
});

// SPEC: settings.start
Deno.test("start refuses to run without what production needs, naming each", () => {
  assert.throws(() => readSettings("start", {}), (error: SettingsError) => {
    for (const name of ["BASE_URL", "SHARED_DOMAINS", "MX_HOST", "INBOUND_TOKENS"]) {
      assert.match(error.message, new RegExp(`^${name} must be set`, "m"));
    }
    return error instanceof SettingsError;
  });
});

Deno.test("an address that is shown and logged has no password, and the error does not show it", () => {
  for (
    const BASE_URL of ["https://tok:SECRETA@mail.example.com", "https://SECRETA@mail.example.com"]
  ) {
    assert.throws(
      () => readSettings("start", { ...production, BASE_URL }),
      ({ message }: Error) =>
        /BASE_URL is not valid: must have no user/.test(message) && !message.includes("SECRETA"),
    );
  }
});

Deno.test("the reason of a wrong setting says what it must be", () => {
  const number = "must be a whole number from";
  const url = "must be a URL that begins with http:// or https://";
  const reasons: [name: string, text: string, reason: string][] = [
    ["PORT", "http", `${number} 0 to 65535`],
    ["PORT", "70000", `${number} 0 to 65535`],
    ["FREE_MAX_CUSTOM_DOMAINS", "1.5", `${number} 0`],
    ["ANONYMOUS_REQUESTS_PER_MINUTE", "0", `${number} 1`],
    ["BASE_URL", "mail.example.com", url],
    ["OPENAI_BASE_URL", "ftp://x.example", url],
    ["BASE_URL", "https://mail.example.com/?a=1", "must have no query and no fragment"],
    ["BASE_URL", "https://mail.example.com#a", "must have no query and no fragment"],
  ];
  for (const [name, text, reason] of reasons) {
    assert.throws(
      () => readSettings("start", { ...production, [name]: text }),
      ({ message }: Error) => message === `${name} is not valid: ${reason}`,
      text,
    );
  }
});

// SPEC: settings.start
Deno.test("start enables nothing of dev", () => {
  const settings = readSettings("start", production);
  assert.equal(settings.WEBHOOK_ALLOW_INSECURE, false);
  assert.equal(settings.SMTP_LISTEN_PORT, undefined);
  assert.equal(settings.SMTP_SUBMISSION_PORT, undefined);
  assert.equal(settings.LOG_FORMAT, "json");
  assert.equal(settings.BASE_URL, "https://mail.example.com");
  assert.deepEqual(settings.SHARED_DOMAINS, ["agents.example.com", "second.example"]);
});

Deno.test("in production with a relay accounts confirm their address; registration is open unless it is set", () => {
  const SMTP_URL = "smtp://relay.example.com:587";
  const verification = (mode: "dev" | "start", env: Record<string, string>) =>
    readSettings(mode, { ...production, ...env }).EMAIL_VERIFICATION;
  assert.equal(verification("start", { SMTP_URL }), "required");
  assert.equal(verification("start", { SMTP_URL, EMAIL_VERIFICATION: "off" }), "off");
  assert.equal(verification("start", {}), "off");
  assert.equal(verification("dev", { SMTP_URL }), "off");
  assert.equal(readSettings("start", production).REGISTRATION, "open");
  for (const wrong of [{ REGISTRATION: "shut" }, { EMAIL_VERIFICATION: "yes" }]) {
    const [name] = Object.keys(wrong);
    assert.throws(() => readSettings("start", { ...production, ...wrong }), new RegExp(name));
  }
});

// SPEC: settings.start
Deno.test("a wrong setting is named with its reason, all at once", () => {
  assert.throws(
    () =>
      readSettings("start", {
        ...production,
        PORT: "http",
        LOG_LEVEL: "loud",
        UPSTASH_VECTOR_REST_URL: "https://x.example",
      }),
    (error: SettingsError) => {
      assert.match(error.message, /^PORT is not valid/m);
      assert.match(error.message, /^LOG_LEVEL is not valid/m);
      assert.match(error.message, /UPSTASH_VECTOR_REST_TOKEN go together/);
      return true;
    },
  );
});

Deno.test("a key that is no key, a store with a scheme other than http(s), and a relay without a host are refused by name", () => {
  const sns = "arn:aws:sns:eu-west-1:123456789012:mail";
  const bad: Record<string, string[]> = {
    KV_PATH: ["ftp://x/y", "file:///var/lib/kv.sqlite", "libsql://x", "HTTP://x", "https://"],
    SMTP_URL: ["smtp://", "smtp:///x", "smtp://user:pass@", "smtp:", "smtp://:587"],
    MAILGUN_SIGNING_KEY: [
      "x",
      "seven77",
      "a key of",
      "not a key at all, surely",
      "schlüssel-schlüssel",
    ],
    SENDGRID_WEBHOOK_PUBLIC_KEY: ["x", "AAAA", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"],
    SNS_TOPIC_ARN: ["arn:", "arn:aws:s3:::bucket", sns.slice(0, -5)],
    STRIPE_SECRET_KEY: ["x", "pk_test_1", "sk_ with a blank"],
    STRIPE_WEBHOOK_SECRET: ["x", "whsec"],
    OPENAI_API_KEY: ["a key", "schlüssel"],
    UPSTASH_VECTOR_REST_TOKEN: ["a token"],
  };
  for (const [name, texts] of Object.entries(bad)) {
    for (const text of texts) {
      assert.throws(
        () => readSettings("dev", { [name]: text }),
        (error: SettingsError) => error.message.startsWith(`${name} is not valid: `),
        `${name}=${text}`,
      );
    }
  }
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const good = {
    SMTP_URL: "smtps://user:pass@relay.example:465",
    MAILGUN_SIGNING_KEY: "0123456789abcdef0123456789abcdef",
    SENDGRID_WEBHOOK_PUBLIC_KEY: publicKey.export({ type: "spki", format: "der" }).toString(
      "base64",
    ),
    SNS_TOPIC_ARN: sns,
    STRIPE_SECRET_KEY: "rk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    OPENAI_API_KEY: "sk-proj-1",
  };
  readSettings("dev", good);
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  readSettings("dev", { SENDGRID_WEBHOOK_PUBLIC_KEY: pem });
  readSettings("dev", { MAILGUN_SIGNING_KEY: "eight-88" });
  for (
    const KV_PATH of [
      ...[":memory:", ".data/kv.sqlite", "/var/lib/kv.sqlite", "C:\\mail\\kv.sqlite", "a:b"],
      ...["https://kv.example/databases/1", "http://127.0.0.1:4512"],
    ]
  ) {
    assert.equal(readSettings("dev", { KV_PATH }).KV_PATH, KV_PATH);
  }
});

// SPEC: provider.settings
Deno.test("the settings of a provider go together, its issuer is https, and without it passwords stay", () => {
  const provider = {
    OIDC_ISSUER: "https://id.example/realms/a",
    OIDC_CLIENT_ID: "letterbox",
    OIDC_CLIENT_SECRET: "secret",
  };
  const read = (more: Record<string, string>) => readSettings("start", { ...production, ...more });
  assert.equal(read({}).PASSWORD_LOGIN, "on");
  assert.equal(read(provider).OIDC_ISSUER, provider.OIDC_ISSUER);
  // Of some providers the issuer ends with a slash.
  const slash = "https://tenant.example/";
  assert.equal(read({ ...provider, OIDC_ISSUER: slash }).OIDC_ISSUER, slash);
  assert.equal(read({ ...provider, PASSWORD_LOGIN: "off" }).PASSWORD_LOGIN, "off");
  for (const name of Object.keys(provider)) {
    assert.throws(
      () => read({ ...provider, [name]: "" }),
      /go together: set both or neither/,
      name,
    );
  }
  const wrong: [more: Record<string, string>, reason: RegExp][] = [
    [{ PASSWORD_LOGIN: "off" }, /PASSWORD_LOGIN=off needs OIDC_ISSUER/],
    [{ ...provider, PASSWORD_LOGIN: "no" }, /PASSWORD_LOGIN is not valid/],
    [{ ...provider, OIDC_ISSUER: "http://id.example" }, /must begin with https/],
    [{ ...provider, OIDC_ISSUER: "id.example" }, /OIDC_ISSUER is not valid/],
    [{ ...provider, OIDC_ISSUER: "https://me:pw@id.example" }, /must have no user/],
    [{ ...provider, OIDC_ISSUER: "https://id.example/?a=1" }, /must have no user, no query/],
    [{ ...provider, OIDC_NAME: "a\nb" }, /OIDC_NAME is not valid/],
    [{ ...provider, OIDC_NAME: "W".repeat(61) }, /at most 60 characters/],
  ];
  for (const [more, reason] of wrong) assert.throws(() => read(more), reason, JSON.stringify(more));
  const insecure = { ...provider, OIDC_ISSUER: "http://id.example", WEBHOOK_ALLOW_INSECURE: "1" };
  assert.equal(read(insecure).OIDC_ISSUER, "http://id.example");
  assert.equal(
    readSettings("dev", { ...insecure, WEBHOOK_ALLOW_INSECURE: "" }).OIDC_ISSUER,
    "http://id.example",
  );
});

// SPEC: settings.table
Deno.test("docs/settings.md is the settings, in order, with their defaults and meanings", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/settings.md", import.meta.url));
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| (.*?) *\|$/gm)].map((
    [, name, fallback, meaning],
  ) => ({ name, fallback, meaning }));
  const expected = Object.entries(definitions).map(([name, definition]) => {
    const { fallback, productionFallback, required, meaning } = definition as {
      fallback?: string;
      productionFallback?: string;
      required?: boolean;
      meaning: string;
    };
    const dev = fallback === undefined ? "unset" : `\`${fallback}\``;
    const start = required
      ? "; production: must be set"
      : productionFallback === undefined
      ? ""
      : `; production: ${productionFallback ? `\`${productionFallback}\`` : "unset"}`;
    return { name, fallback: `${dev}${start}`, meaning };
  });
  assert.deepEqual(rows, expected);
});

Deno.test("mail domains are kept as they are compared, and a resolver must have an address", () => {
  const settings = readSettings("dev", {
    SHARED_DOMAINS: "B\u00fccher.Example., agents.test",
    MX_HOST: "MX.Agents.Test.",
    DNS_SERVER: "[2001:db8::1]:5353",
  });
  assert.deepEqual(settings.SHARED_DOMAINS, ["xn--bcher-kva.example", "agents.test"]);
  assert.equal(settings.MX_HOST, "mx.agents.test");
  assert.equal(settings.DNS_SERVER, "[2001:db8::1]:5353");
  const wrong = { SHARED_DOMAINS: "a b", MX_HOST: "http://mx", DNS_SERVER: "999.0.0.1:53" };
  assert.throws(() => readSettings("dev", wrong), (error: SettingsError) => {
    for (const name of Object.keys(wrong)) {
      assert.match(error.message, new RegExp(`^${name} is not valid`, "m"));
    }
    return true;
  });
});
