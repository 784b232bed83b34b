import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { systemClock } from "../../domain/core/clock.ts";
import { oidcProvider } from "../../adapters/identity_provider/oidc.ts";
import type { IdentityProvider } from "../../domain/ports/identity_provider.ts";

/** What the stand-in does from now on; tests change it. */
export interface Behaviour {
  /** Instead of an answer. */
  fails: null | "hangs" | "500" | "long" | "redirects";
  /** Claims of the next ID tokens, over the right ones. */
  claims: Record<string, unknown>;
  /** How ID tokens are signed. */
  signed:
    | "rightly"
    | "with another key"
    | "not at all"
    | "with the secret"
    | "with the public key as a secret";
  /** What /userinfo says. */
  userinfo: Record<string, unknown>;
  /** Over the discovery document. */
  metadata: Record<string, unknown>;
  /** Instead of tokens. */
  tokenError: string | null;
}

const clientId = "letterbox";
export const clientSecret = "secret-of-the-client";
const redirectUri = "http://localhost:8000/api/auth/oidc/callback";
const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

const pairOf = () =>
  crypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  ) as Promise<CryptoKeyPair>;
const pairs = { right: await pairOf(), other: await pairOf() };
const jwk = {
  ...await crypto.subtle.exportKey("jwk", pairs.right.publicKey),
  ...{ kid: "1", use: "sig", alg: "RS256" },
};

/** An OpenID provider on loopback whose answers can be wrong. Its people sign in at once. */
export class StandIn implements AsyncDisposable {
  /** Paths of the requests that came. */
  readonly came: string[] = [];
  readonly does: Behaviour = {
    ...{ fails: null, claims: {}, signed: "rightly", userinfo: {}, metadata: {}, tokenError: null },
  };
  readonly issuer: string;
  private readonly server: Deno.HttpServer<Deno.NetAddr>;
  /** The codes that were given, with what they belong to. */
  private readonly codes = new Map<string, { nonce: string; challenge: string }>();
  private readonly stopped = new AbortController();

  constructor() {
    this.server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.answer(request),
    );
    this.issuer = `http://127.0.0.1:${this.server.addr.port}`;
  }

  /** The service's side of it. */
  port(
    { timeoutMs, elapsed = () => systemClock.elapsed() }: {
      timeoutMs?: number;
      elapsed?: () => number;
    } = {},
  ): IdentityProvider {
    return oidcProvider({
      ...{ issuer: this.issuer, clientId, clientSecret, name: "Example & Co", redirectUri },
      ...{ allowInsecure: true, clock: { elapsed, now: Date.now }, timeoutMs },
    });
  }

  /** What a person's browser brings back from the URL to which it was sent. */
  signIn(url: string, iss = this.issuer): URLSearchParams {
    const asked = new URL(url).searchParams;
    const code = crypto.randomUUID();
    this.codes.set(code, {
      nonce: asked.get("nonce")!,
      challenge: asked.get("code_challenge")!,
    });
    return new URLSearchParams({ code, state: asked.get("state")!, iss });
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.came.push(pathname);
    const { fails } = this.does;
    if (fails === "hangs") {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.stopped.signal.addEventListener("abort", () => resolve());
      request.signal.addEventListener("abort", () => resolve());
      await promise;
    }
    if (fails === "500") return new Response("down", { status: 500 });
    if (fails === "long") return new Response(new Uint8Array(2 * 1024 * 1024));
    if (fails === "redirects") return Response.redirect(`${this.issuer}/elsewhere`, 302);
    if (pathname === "/.well-known/openid-configuration") return Response.json(this.metadata());
    if (pathname === "/keys") return Response.json({ keys: [jwk] });
    if (pathname === "/token") return await this.tokens(request);
    if (pathname === "/userinfo") return Response.json(this.does.userinfo);
    return new Response(null, { status: 404 });
  }

  private metadata() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
      ...this.does.metadata,
    };
  }

  private async tokens(request: Request): Promise<Response> {
    const form = await request.formData();
    const authorization = request.headers.get("authorization") ?? "";
    const given = authorization.startsWith("Basic ")
      ? atob(authorization.slice(6))
      : `${form.get("client_id")}:${form.get("client_secret")}`;
    const refuse = (error: string) => Response.json({ error }, { status: 400 });
    if (this.does.tokenError) return refuse(this.does.tokenError);
    if (decodeURIComponent(given) !== `${clientId}:${clientSecret}`) {
      return refuse("invalid_client");
    }
    const code = String(form.get("code")), known = this.codes.get(code);
    this.codes.delete(code);
    const challenge = hash("sha256", String(form.get("code_verifier")), "base64url");
    if (!known || known.challenge !== challenge || form.get("redirect_uri") !== redirectUri) {
      return refuse("invalid_grant");
    }
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: this.issuer, aud: clientId, iat: now, exp: now + 300, nonce: known.nonce },
      ...{ sub: "1", email: "ada@example.org", email_verified: true, name: "Ada" },
      ...this.does.claims,
    };
    const id_token = await this.sign(claims);
    return Response.json({ access_token: "access", token_type: "Bearer", id_token });
  }

  private async sign(claims: object): Promise<string> {
    const { signed } = this.does;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const secret = signed === "with the secret" ? clientSecret : JSON.stringify(jwk);
    const isShared = /secret$/.test(signed);
    const alg = signed === "not at all" ? "none" : isShared ? "HS256" : "RS256";
    const text = `${part({ alg, kid: "1" })}.${part(claims)}`;
    if (signed === "not at all") return `${text}.`;
    const bytes = new TextEncoder().encode(text);
    const signature = isShared
      ? await crypto.subtle.sign("HMAC", await hmacKey(secret), bytes)
      : await crypto.subtle.sign(
        algorithm,
        (signed === "rightly" ? pairs.right : pairs.other).privateKey,
        bytes,
      );
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped.abort();
    await this.server.shutdown();
  }
}

const hmacKey = (secret: string) =>
  crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
