import type { Context, Hono } from "hono";
import { personOf, readMember } from "../../domain/accounts/member.ts";
import {
  allowApp,
  answerUrl,
  type AuthorizeRequest,
  readAuthorize,
} from "../../domain/apps/authorize.ts";
import { DocumentError, isDocumentUrl } from "../../domain/apps/client_documents.ts";
import type { Client } from "../../domain/apps/client.ts";
import { findClient } from "../../domain/apps/clients.ts";
import { redirectAllowed, redirectHost } from "../../domain/apps/redirects.ts";
import type { Caller } from "../../domain/core/caller.ts";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { visibleMailboxes } from "../../domain/mailboxes/visible_mailboxes.ts";
import { identify, requireSameOrigin } from "../http/access.ts";
import type { Env } from "../http/env.ts";
import { countRequest } from "../http/rate_limit.ts";
import { readForm } from "./endpoint.ts";
import { choiceOf, firstChoice, problemOf } from "./choice.ts";
import { consentPage } from "./consent_page.ts";
import {
  failurePage,
  unknownClientPage,
  unknownRedirectPage,
  unreadDocumentPage,
} from "./failure_pages.ts";
import { sendPage } from "./page.ts";

export const authorizePath = "/oauth/authorize";
/** The dashboard's sign-in, which leads back to `next`. */
export const signInPath = "/app/sign-in";

/**
 * Mounts the authorization endpoint (RFC 6749, 3.1) with its consent page. Requests count as those by cookie do: in the
 * window of the session, and before the sign-in in that of the address.
 */
export function mountAuthorize(app: Hono<Env>, service: Service): void {
  const answered = async (c: Context<Env>) => {
    try {
      return await answer(c, service);
    } catch (error) {
      if (error instanceof DocumentError) return await unreadDocumentPage(c, error);
      return await failurePage(c, service, error);
    }
  };
  app.get(authorizePath, answered);
  app.post(authorizePath, answered);
  app.all(authorizePath, (c) => {
    c.header("Allow", "GET, HEAD, POST");
    throw new ServiceError("METHOD_NOT_ALLOWED");
  });
}

/** A request whose client may have its answer at its redirect. */
interface Known {
  client: Client;
  redirectUri: string;
  state: string | undefined;
}

async function answer(c: Context<Env>, service: Service): Promise<Response> {
  const { caller, byCookie } = await identify(service, c, c.get("family"));
  c.set("caller", caller);
  const refusal = await countRequest(c, service, byCookie);
  if (refusal) throw refusal;
  if (byCookie) requireSameOrigin(service, c);
  const { params, repeated } = parametersOf(c.req.url);
  const { client_id: clientId = "", redirect_uri: redirectUri = "", state } = params;
  // A stranger makes the service fetch nothing.
  if (!caller && isDocumentUrl(service.settings, clientId)) return signIn(c);
  const client = await findClient(service, clientId, caller?.userId ?? null);
  if (!client) return await unknownClientPage(c, clientId);
  if (!redirectAllowed(client, redirectUri)) {
    return await unknownRedirectPage(c, client, redirectUri);
  }
  // Nobody is sent elsewhere before the sign-in, or everybody who registers a client has a redirector (RFC 9700, 4.11.2).
  if (!caller) return signIn(c);
  const known = { client, redirectUri, state };
  if (repeated) return refused(c, service, known, "invalid_request", `${repeated} is given twice`);
  const read = readAuthorize(service, caller, client, params);
  if ("error" in read) return refused(c, service, known, read.error, read.description);
  return c.req.method === "POST"
    ? await decide(c, service, known, read.request)
    : await ask(c, service, caller, known, read.request);
}

/** The parameters that are given once and have a value (RFC 6749, 3.1), and one that is given twice. */
function parametersOf(url: string): { params: Record<string, string>; repeated?: string } {
  const given = Map.groupBy(new URL(url).searchParams, ([name]) => name);
  const once = [...given].flatMap(([, entries]) => entries.length === 1 ? entries : []);
  const repeated = parameterNames.find((name) => (given.get(name)?.length ?? 0) > 1);
  return { params: Object.fromEntries(once.filter(([, value]) => value !== "")), repeated };
}

/** Others are ignored, however often they are given. */
const parameterNames = [
  ...["client_id", "redirect_uri", "response_type", "state", "scope", "resource"],
  ...["code_challenge", "code_challenge_method"],
];

function signIn(c: Context<Env>): Response {
  return c.redirect(`${signInPath}?${new URLSearchParams({ next: pathOf(c) })}`, 302);
}

/** Path and query of this request. */
function pathOf(c: Context<Env>): string {
  return authorizePath + new URL(c.req.url).search;
}

function refused(
  c: Context<Env>,
  service: Service,
  { redirectUri, state }: Known,
  error: string,
  error_description: string,
): Response {
  return c.redirect(answerUrl(service, redirectUri, { error, error_description, state }), 302);
}

/** Shows the consent page: with all that was asked ticked, or again with a choice and its problem. */
async function ask(
  c: Context<Env>,
  service: Service,
  caller: Caller,
  { client, redirectUri }: Known,
  { scopes }: AuthorizeRequest,
  choice = firstChoice(scopes),
  problem: ReturnType<typeof problemOf> = null,
): Promise<Response> {
  const { email } = await readMember(service.database, personOf(caller));
  const asked = {
    clientName: client.name,
    host: redirectHost(redirectUri),
    account: { userId: caller.userId, email },
    scopes,
    mailboxes: await visibleMailboxes(service, caller),
    action: pathOf(c),
  };
  return await sendPage(c, {
    title: problem ? "Choose again" : "Connect an app",
    body: consentPage(asked, choice, problem?.text ?? null),
    status: problem?.status,
    // Chrome checks each redirect after the form, and the app's own page may lead on to another host.
    formsLeadTo: [new URL(redirectUri).protocol, "https:"],
  });
}

/** Does what the form of the consent page says. */
async function decide(
  c: Context<Env>,
  service: Service,
  known: Known,
  request: AuthorizeRequest,
): Promise<Response> {
  const form = await readForm(c);
  // The session may have ended while the form came.
  const { caller } = await identify(service, c, c.get("family"), true);
  if (!caller) return signIn(c);
  const choice = choiceOf(form, request.scopes);
  if (choice.decision === "deny") {
    return refused(c, service, known, "access_denied", "The person denied it");
  }
  const again = (problem: ReturnType<typeof problemOf>) =>
    ask(c, service, caller, known, request, choice, problem);
  if (choice.decision === "find") return await again(null);
  const problem = problemOf(choice, caller.userId, await visibleMailboxes(service, caller));
  if (problem) return await again(problem);
  const code = await allowApp(service, caller, request, {
    scopes: [...choice.scopes],
    mailboxIds: choice.every ? null : [...choice.mailboxIds],
  });
  return c.redirect(answerUrl(service, known.redirectUri, { code, state: known.state }), 302);
}
