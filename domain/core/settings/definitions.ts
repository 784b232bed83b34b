import { z } from "zod";
import { parseResolverAddress } from "../../ports/resolver_address.ts";
import { parseNetworks } from "../client_address.ts";
import { planOverridesText } from "../plans.ts";
import {
  credential,
  flag,
  hostName,
  httpUrl,
  isPathOrHttpUrl,
  issuerUrl,
  list,
  lowerList,
  mailAddress,
  port,
  publicUrl,
  shownName,
  spki,
  submissionPort,
  wholeNumber,
} from "../setting_schemas.ts";
import { isEmbeddings } from "./embeddings.ts";

export interface Definition {
  schema: z.ZodType;
  /** The text for an unset variable, in `dev` and in production. */
  fallback?: string;
  /** Must be set in production; `fallback` is for `dev` alone. */
  required?: true;
  /** Another fallback in production. */
  productionFallback?: string;
  meaning: string;
}

/** Every setting of the service. A test keeps the table of docs/settings.md equal to it. */
export const definitions = {
  PORT: { schema: port, fallback: "8000", meaning: "listening port" },
  HOST: { schema: z.string().min(1), fallback: "127.0.0.1", meaning: "listening address" },
  BASE_URL: {
    schema: publicUrl,
    required: true,
    meaning: "public address, used in links and cookies; dev: `http://localhost:PORT`",
  },
  KV_PATH: {
    schema: z.string().min(1).refine(isPathOrHttpUrl, "must be a path, or an http(s) URL"),
    fallback: ".data/letterbox.sqlite",
    meaning:
      "path of the embedded KV, or the URL of a remote one; on Deno Deploy unset = the attached database",
  },
  SHARED_DOMAINS: {
    schema: list.pipe(z.array(hostName).min(1)),
    fallback: "agents.localhost",
    required: true,
    meaning: "comma list: the shared pool of mail domains",
  },
  MX_HOST: {
    schema: hostName,
    fallback: "mx.agents.localhost",
    required: true,
    meaning: "what the MX record of a custom domain must name",
  },
  VERIFY_PREFIX: {
    schema: z.string().regex(/^[A-Za-z0-9_-]+$/),
    fallback: "letterbox-verify",
    meaning: "what the TXT record of a custom domain begins with",
  },
  DISALLOWED_EMAIL_NAME: {
    schema: lowerList,
    fallback:
      "admin,administrator,postmaster,hostmaster,webmaster,abuse,security,support,noreply,no-reply,mailer-daemon",
    meaning: "reserved local parts",
  },
  OWN_DOMAIN_NAMES: {
    schema: z.enum(["spec", "any"]),
    fallback: "spec",
    meaning:
      "`any`: on a verified domain of an account, mailboxes may have reserved and short names; not `bounce`",
  },
  POSTMASTER_MAILBOX: {
    schema: mailAddress,
    meaning:
      "address of the mailbox that takes mail to `postmaster@` and `abuse@` of shared domains; unset: it is refused",
  },
  FREE_MAX_CUSTOM_DOMAINS: {
    schema: wholeNumber(0),
    fallback: "0",
    meaning: "custom domains on the free plan",
  },
  PLAN_OVERRIDES: {
    schema: planOverridesText,
    meaning:
      'JSON merged over the plan table, such as `{"enterprise":{"requestsPerMinute":100000}}`; `null` = unlimited',
  },
  ANONYMOUS_REQUESTS_PER_MINUTE: {
    schema: wholeNumber(1),
    fallback: "60",
    meaning: "per client address, for requests without a valid credential",
  },
  TRUSTED_PROXIES: {
    schema: list.transform((entries, context) => {
      try {
        return parseNetworks(entries);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "" });
        return z.NEVER;
      }
    }),
    meaning: "addresses or CIDR blocks whose X-Forwarded-For is believed",
  },
  INBOUND_TOKENS: {
    schema: list.pipe(z.array(z.string().min(16, "a token needs at least 16 characters")).min(1)),
    required: true,
    meaning:
      "comma list of bearer tokens accepted on inbound routes (several, for rotation); dev: made and printed at the first start",
  },
  MAILGUN_SIGNING_KEY: {
    schema: credential.min(8, "needs at least 8 characters"),
    meaning: "unset = /inbound/mailgun answers 404",
  },
  SENDGRID_WEBHOOK_PUBLIC_KEY: {
    schema: spki,
    meaning: "unset = /inbound/sendgrid answers 404",
  },
  POSTMARK_INBOUND_AUTH: {
    schema: z.string().regex(/^[^:]+:.+$/, "must be user:password"),
    meaning: "`user:password` of Basic authentication; unset = /inbound/postmark answers 404",
  },
  SNS_TOPIC_ARN: {
    schema: z.string().regex(
      /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]+$/,
      "must be the ARN of an SNS topic",
    ),
    meaning: "unset = /inbound/ses answers 404",
  },
  EMBEDDINGS: {
    schema: z.string().refine(
      isEmbeddings,
      "must be off, builtin, or the path of a folder with an encoder, which has a / or \\",
    ),
    meaning:
      "`off` = search by words; `builtin` = the encoders in `models/`, no account; a path with `/` or `\\` = an encoder as ONNX in that folder; unset = the service of `OPENAI_*`, else `builtin` with a disk and 1 GiB of memory",
  },
  OPENAI_API_KEY: {
    schema: credential,
    meaning: "key of the embedding service; without it and `OPENAI_BASE_URL` search is by words",
  },
  OPENAI_BASE_URL: { schema: httpUrl, meaning: "any OpenAI-compatible embedding service" },
  EMBEDDING_MODEL: {
    schema: z.string().min(1),
    fallback: "text-embedding-3-small",
    meaning: "model of the embedding service",
  },
  EMBEDDING_DIMENSIONS: { schema: wholeNumber(1), meaning: "sent as `dimensions`, if set" },
  UPSTASH_VECTOR_REST_URL: { schema: httpUrl, meaning: "unset = embedded search index" },
  UPSTASH_VECTOR_REST_TOKEN: {
    schema: credential,
    meaning: "token of the Upstash Vector index",
  },
  STRIPE_SECRET_KEY: {
    schema: credential.regex(/^[sr]k_/, "must begin with sk_ or rk_"),
    meaning: "unset = billing off: checkout and portal answer 503",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: credential.regex(/^whsec_./, "must begin with whsec_"),
    meaning: "signing secret of the Stripe webhook; unset = checkout and portal answer 503",
  },
  STRIPE_PRICE_PRO: { schema: z.string().min(1), meaning: "price id of the plan pro" },
  STRIPE_PRICE_ENTERPRISE: {
    schema: z.string().min(1),
    meaning: "price id of the plan enterprise",
  },
  STRIPE_API_BASE: { schema: httpUrl, meaning: "another address of the Stripe API, for tests" },
  SMTP_URL: {
    schema: z.url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: "must be smtp://host or smtps://host, with user:pass@ and :port where needed",
    }),
    meaning:
      "outgoing relay, `smtp://user:pass@host:port`; unset = outbox: mail to other hosts is kept and marked `stored`; mailboxes of this service get theirs",
  },
  SMTP_LISTEN_PORT: {
    schema: port,
    fallback: "2525",
    productionFallback: "",
    meaning: "SMTP listener; unset = off (production)",
  },
  SMTP_SUBMISSION_PORT: submissionPort,
  SMTP_LISTEN_TLS_KEY: { schema: z.string().min(1), meaning: "path of a PEM file, for STARTTLS" },
  SMTP_LISTEN_TLS_CERT: { schema: z.string().min(1), meaning: "path of a PEM file, for STARTTLS" },
  DNS_SERVER: {
    schema: z.string().refine((text) => parseResolverAddress(text) !== null, "must be ip:port"),
    meaning: "`ip:port` of the resolver for domain verification; unset = the system's",
  },
  WEBHOOK_ALLOW_INSECURE: {
    schema: flag,
    fallback: "1",
    productionFallback: "0",
    meaning: "1 allows `http:` and private addresses as webhook targets, for development only",
  },
  REGISTRATION: {
    schema: z.enum(["open", "invite", "closed"]),
    fallback: "open",
    meaning:
      "who can register. `open`: everybody; `invite`: people with an invitation; `closed`: nobody",
  },
  OIDC_ISSUER: {
    schema: issuerUrl,
    meaning:
      "issuer of the OpenID provider that people sign in with, as its discovery document has it; `http:` only with `WEBHOOK_ALLOW_INSECURE=1`; unset = off",
  },
  OIDC_CLIENT_ID: { schema: credential, meaning: "client id that the provider gave this service" },
  OIDC_CLIENT_SECRET: { schema: credential, meaning: "client secret that the provider gave it" },
  OIDC_NAME: {
    schema: shownName,
    meaning: "what people call the provider, on the sign-in page; unset = the host of the issuer",
  },
  PASSWORD_LOGIN: {
    schema: z.enum(["on", "off"]),
    fallback: "on",
    meaning:
      "`off` = people sign in with the provider alone: routes that take a password are 404. Needs `OIDC_ISSUER`",
  },
  MCP_OAUTH: {
    schema: z.enum(["on", "off"]),
    fallback: "on",
    meaning:
      "`on` = apps log in by themselves (OAuth 2.1); `off` = API keys alone. `on` needs a `BASE_URL` without a path; with a path unset = `off`",
  },
  EMAIL_VERIFICATION: {
    schema: z.enum(["required", "off"]),
    fallback: "off",
    meaning:
      "`required` = an account whose own address is not confirmed writes to own mailboxes only; production with `SMTP_URL`: `required`",
  },
  ADDRESS_HOLD_DAYS: {
    schema: wholeNumber(0),
    fallback: "30",
    meaning: "how long a deleted mailbox's address stays reserved for its former owner",
  },
  OPERATOR_TOKEN: {
    schema: z.string().min(16, "needs at least 16 characters"),
    meaning: "bearer token of the operator routes; unset = they answer 404",
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, "needs at least 16 characters"),
    meaning: "bearer token only for `GET /operator/metrics`, which accepts OPERATOR_TOKEN too",
  },
  LETTERBOX_API_KEY: {
    schema: z.string().min(1),
    meaning: "the key that `deno task export` uses by default; the service itself does not read it",
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error"]),
    fallback: "info",
    meaning: "lowest level that is logged: `debug`, `info`, `warn` or `error`",
  },
  LOG_FORMAT: {
    schema: z.enum(["pretty", "json"]),
    fallback: "pretty",
    productionFallback: "json",
    meaning: "format of the log, one line for each event",
  },
  DENO_DEPLOYMENT_ID: {
    schema: z.string().min(1),
    meaning: "set by Deno Deploy; not for you to set",
  },
} as const satisfies Record<string, Definition>;
