import assert from "node:assert/strict";
import { createApp } from "../../routes/app.ts";
import { type TestOptions, testService } from "../service.ts";
import { StandIn } from "./stand_in.ts";

type App = ReturnType<typeof createApp>;

export const providerEnv = {
  OIDC_ISSUER: "http://127.0.0.1:9",
  OIDC_CLIENT_ID: "letterbox",
  OIDC_CLIENT_SECRET: "secret-of-the-client",
};

/** A browser of one person: keeps cookies, and follows redirects outside of the service only. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The secrets of the sign-ins that it began. */
  readonly visited: string[] = [];
  private readonly jar = new Map<string, string>();

  constructor(private readonly app: App) {}

  async get(path: string): Promise<Response> {
    return await this.send(path, { method: "GET" });
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map((each) => each.join("=")).join("; ");
    const headers = new Headers(init.headers);
    if (cookie) headers.set("cookie", cookie);
    const answer = await this.app.request(path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(";"), at = pair.indexOf("=");
      const name = pair.slice(0, at), value = pair.slice(at + 1);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
      if (name === "lbx_sign_in" && value) this.visited.push(value.split(".")[0]);
    }
    return answer;
  }

  session(): string | undefined {
    return this.cookies.get("lbx_session");
  }

  /** Follows a URL of the provider to its end, or to where it leads back to the service. */
  async outside(url: string): Promise<{ url: string; text: string }> {
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...this.jar].map((each) => each.join("=")).join("; ");
      const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [pair] = line.split(";"), at = pair.indexOf("=");
        this.jar.set(pair.slice(0, at), pair.slice(at + 1));
      }
      const text = await answer.text();
      const location = answer.headers.get("location");
      if (!location) return { url, text };
      url = new URL(location, url).href;
      if (url.startsWith("http://localhost:8000/")) return { url, text };
    }
    throw new Error("too many redirects");
  }
}

/** A service whose people sign in at a stand-in of a provider. */
export async function withStandIn(
  { env, timeoutMs, ...options }: TestOptions & { timeoutMs?: number } = {},
) {
  const provider = new StandIn();
  const test = await testService({
    ...options,
    env: { ...providerEnv, ...env },
    parts: { identityProvider: provider.port({ timeoutMs }), ...options.parts },
  });
  const app = createApp(test.service);
  return {
    provider,
    test,
    app,
    /** A whole sign-in; returns the answer of the callback. */
    async signIn(browser = new Browser(app), query = ""): Promise<Response> {
      const asked = await browser.get(`/api/auth/oidc${query}`);
      assert.equal(asked.status, 302, await asked.clone().text());
      const back = provider.signIn(asked.headers.get("location")!);
      return await browser.get(`/api/auth/oidc/callback?${back}`);
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
