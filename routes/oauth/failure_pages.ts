import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { DocumentError } from "../../domain/apps/client_documents.ts";
import type { Client } from "../../domain/apps/client.ts";
import { OAuthError } from "../../domain/apps/oauth_error.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import type { Env } from "../http/env.ts";
import { failureHeaders, requestFacts, statusOf, toServiceError } from "../http/failures.ts";
import { type Html, sendPage } from "./page.ts";

/** A URL longer than this is cut. */
const mostOfUrl = 300;

/** The client is not registered: nobody knows where an answer may go. */
export async function unknownClientPage(c: Context<Env>, clientId: string): Promise<Response> {
  return await page(
    c,
    400,
    "This app is not known here",
    html`<p>The app that sent you here did not say who it is, or this service cannot tell.
Nothing was allowed.</p>
<p>Go back to the app, remove its connection to Letterbox and connect it again: then it registers anew.</p>
${came("Its client_id", clientId)}`,
  );
}

/** The client's metadata document could not be read, often because the service has no way to the internet. */
export async function unreadDocumentPage(
  c: Context<Env>,
  { clientId, reason }: DocumentError,
): Promise<Response> {
  const { host } = new URL(clientId);
  return await page(
    c,
    400,
    "This app could not be looked up",
    html`<p>The app says who it is in a document at <b>${host}</b>, and this service could not read that.
${reason} Nothing was allowed.</p>
<p>Try again later. If it stays so, ask whoever runs this service whether it can reach <b>${host}</b>,
or give the app an API key instead.</p>
${came("Its client_id", clientId)}`,
  );
}

/** An answer would go to an address that the client did not name when it registered. */
export async function unknownRedirectPage(
  c: Context<Env>,
  { name, redirectUris }: Client,
  redirectUri: string,
): Promise<Response> {
  return await page(
    c,
    400,
    "This app asks for an answer elsewhere",
    html`<p><bdi>${name}</bdi> wants the answer at an address that it did not register.
Nothing was allowed, because somebody else may be behind it.</p>
<p>Go back to the app, remove its connection to Letterbox and connect it again.</p>
${came("Its redirect_uri", redirectUri)}
${redirectUris.map((each) => came("Registered", each))}`,
  );
}

/** Any other failure. */
export async function failurePage(
  c: Context<Env>,
  service: Service,
  thrown: unknown,
): Promise<Response> {
  const error = thrown instanceof OAuthError
    ? new ServiceError("BAD_REQUEST", thrown.description)
    : toServiceError(thrown, service.log, requestFacts(c));
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  const { retryAfterSeconds: wait } = error;
  return await page(
    c,
    statusOf[error.code],
    "The app was not connected",
    html`<p>${error.message}</p>
${wait !== undefined && html`<p>Try again in ${wait} s.</p>`}`,
  );
}

function came(what: string, text: string): Html {
  // A URL is ASCII; other signs could show it as another one.
  const shown = text.slice(0, mostOfUrl).replace(/[^ -~]/gu, "\ufffd");
  return html`<p class="muted">${what}: ${shown ? html`<code>${shown}</code>` : "none"}</p>`;
}

function page(
  c: Context<Env>,
  status: ContentfulStatusCode,
  title: string,
  text: Html,
): Promise<Response> {
  return sendPage(c, {
    title,
    status,
    body: html`<h1>${title}</h1>
${text}
<p><a href="/app/">To the dashboard</a></p>`,
  });
}
