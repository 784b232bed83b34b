import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-types="@types/oidc-provider"
import type { Configuration } from "oidc-provider";

/** A person of the provider. */
export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

export const client = { id: "letterbox", secret: "secret-of-the-client" };

/**
 * `oidc-provider`, which is certified, on loopback: the other side of a sign-in. Its sign-in page has a button for each
 * person.
 */
export async function startOidcProvider(redirectUri: string, people: readonly Person[]) {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await quietly(async () => {
    // @ts-types="@types/oidc-provider"
    const { default: Provider } = await import("oidc-provider");
    return new Provider(issuer, configurationOf(redirectUri, people));
  });
  provider.use(async (context, next) => {
    const { pathname, searchParams } = new URL(context.request.href);
    if (!pathname.startsWith("/interaction/")) return await next();
    const accountId = searchParams.get("as");
    if (accountId === null) {
      context.type = "html";
      context.body = signInPage(people);
    } else {
      const answered = { login: { accountId } };
      context.redirect(await provider.interactionResult(context.req, context.res, answered));
    }
  });
  server.on("request", provider.callback());
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function configurationOf(redirectUri: string, people: readonly Person[]): Configuration {
  return {
    clients: [{
      ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] },
    }],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["of the tests"] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = people.find((each) => each.sub === sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    // Nobody is asked for a consent.
    async loadExistingGrant({ oidc }) {
      const { provider, client, session } = oidc;
      const grant = new provider.Grant({
        ...{ clientId: client!.clientId, accountId: session!.accountId! },
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

function signInPage(people: readonly Person[]): string {
  const links = people.map(({ sub, name }) => `<a href="?as=${sub}">${name}</a>`);
  return `<!DOCTYPE html><title>Provider</title><h1>Who are you?</h1>${links.join("\n")}`;
}

/** At its start it warns of Deno, of its own keys and of http. */
async function quietly<Value>(start: () => Promise<Value>): Promise<Value> {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return await start();
  } finally {
    Object.assign(console, { warn, info });
  }
}
