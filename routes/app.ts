import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { health } from "../domain/health.ts";
import { notFound, ServiceError } from "../domain/core/errors.ts";
import type { Service } from "../domain/core/service.ts";
import { admit } from "./http/admit.ts";
import { begin } from "./http/begin.ts";
import { clientFinder } from "./http/client.ts";
import { authRoutes, openAuthRoutes, refusePasswords } from "./dashboard/auth.ts";
import { billingRoutes } from "./dashboard/billing.ts";
import { mountStripeWebhook, stripeWebhookRoute } from "./dashboard/stripe.ts";
import { domainRoutes } from "./dashboard/domains.ts";
import { draftPartRoutes, mountDraftParts } from "./dashboard/draft_parts.ts";
import { mailHtmlRoute, mountMailHtml } from "./dashboard/mail_html.ts";
import { appRoutes } from "./dashboard/apps.ts";
import { memberRoutes, openMemberRoutes } from "./dashboard/members.ts";
import { mountProviderSignIn } from "./dashboard/provider_sign_in.ts";
import { overviewRoutes } from "./dashboard/overview.ts";
import { mountPages } from "./dashboard/pages.ts";
import { sessionCopies } from "./dashboard/session_copies.ts";
import { mailboxRoutes } from "./v1/mailboxes.ts";
import { families } from "./http/families.ts";
import { failure } from "./http/failures.ts";
import { inboundRoutes, mountInbound } from "./inbound/inbound_routes.ts";
import { answerHead } from "./head.ts";
import { Intake } from "./http/bodies/intake.ts";
import { mcpRoute, mountMcp } from "./mcp/mcp.ts";
import type { Served } from "./reference/openapi.ts";
import { measureRequests } from "./metrics/measure_requests.ts";
import { quickHealth } from "./metrics/quick_health.ts";
import { metricsRoute, mountMetrics } from "./metrics/metrics_route.ts";
import { mountOAuth } from "./oauth/oauth_routes.ts";
import { mountOperator, operatorRoutes } from "./operator/accounts.ts";
import type { PlainRoute } from "./http/plain_route.ts";
import { showGuest } from "./http/rate_limit.ts";
import { mountReference, referenceRoutes } from "./reference/reference.ts";
import { mount, type RestRoute } from "./http/rest.ts";
import { rowsOf } from "./http/rows.ts";
import { ShapeRouter } from "./shape_router.ts";
import { historyRoutes } from "./v1/history.ts";
import { attachmentLinkRoutes, downloadRoute, mountDownload } from "./v1/attachment_links.ts";
import { attachmentRoute, mountAttachmentDownload } from "./v1/attachments.ts";
import { eventStreamRoutes, mountEventStreams } from "./v1/event_stream.ts";
import { draftRoutes } from "./v1/drafts.ts";
import { exportRoute, mailboxFileRoute, mountExport } from "./v1/export.ts";
import { emailRoutes, mountRawDownload, rawDownloadRoute } from "./v1/emails.ts";
import { importRoute, mountImport } from "./v1/import.ts";
import { keyRoutes } from "./v1/keys.ts";
import { addressRoutes } from "./v1/addresses.ts";
import { claimRoutes } from "./v1/claims.ts";
import { mountPutUpload, putUploadRoute, uploadRoutes } from "./v1/uploads.ts";
import { waitingRoutes } from "./v1/waiting.ts";
import { webhookRoutes } from "./v1/webhooks.ts";
import type { Env } from "./http/env.ts";

const healthRoute = rowsOf("/v1/api", { family: "health", tag: "Service" })(
  "GET",
  "/health",
  health,
  "none",
);
const callerRoutes: RestRoute[] = [
  // `/emails/wait` before `/emails/:messageId`.
  ...waitingRoutes,
  ...claimRoutes,
  ...emailRoutes,
  ...attachmentLinkRoutes,
  ...draftRoutes,
  ...uploadRoutes,
  ...historyRoutes,
  ...addressRoutes,
  ...mailboxRoutes("v1"),
  ...mailboxRoutes("dashboard"),
  ...domainRoutes,
  ...webhookRoutes,
  ...keyRoutes("v1"),
  ...keyRoutes("dashboard"),
  ...authRoutes,
  ...billingRoutes,
  ...overviewRoutes,
  ...appRoutes,
  ...memberRoutes,
];

/** Routes outside the tables: each is documented next to its mount. */
const plainRoutes: PlainRoute[] = [
  rawDownloadRoute,
  attachmentRoute,
  exportRoute,
  mailboxFileRoute,
  downloadRoute,
  importRoute,
  putUploadRoute,
  mailHtmlRoute,
  ...draftPartRoutes,
  ...eventStreamRoutes,
  mcpRoute,
  ...inboundRoutes,
  stripeWebhookRoute,
  metricsRoute,
  ...referenceRoutes,
];

/** Rows and plain routes of v1, mounted a second time for sessions. */
const copiedRows = sessionCopies(callerRoutes, callerRoutes);
const copiedPlain = {
  raw: sessionCopies([rawDownloadRoute]),
  attachments: sessionCopies([attachmentRoute]),
  imports: sessionCopies([importRoute]),
  exports: sessionCopies([exportRoute]),
};

/** Every route that is served. The OpenAPI document and the 405s are made from it. */
export const served: Served = {
  open: [healthRoute, ...openAuthRoutes, ...openMemberRoutes],
  account: callerRoutes,
  operator: operatorRoutes,
  plain: plainRoutes,
  copies: [...copiedRows, ...Object.values(copiedPlain).flat()],
};

/** The HTTP side: authenticate ─► rate-limit ─► validate ─► run. Every failure ends in `failure`. */
export function createApp(
  service: Service,
  intake: Intake = new Intake(service.clock),
): Hono<Env> {
  const app = new Hono<Env>({ router: new ShapeRouter(), getPath: servedPath });
  app.onError((error, c) => failure(c, error, service));
  app.notFound((c) => failure(c, notFound("route"), service));

  answerHead(app);
  const clientOf = clientFinder(service);
  const answered = quickHealth(service, intake, clientOf, healthRoute.path);
  const inTurn = app.fetch;
  app.fetch = (request, env, context) => answered(request, env) ?? inTurn(request, env, context);
  app.use("*", measureRequests(service));
  app.use("*", begin(service, intake, clientOf));
  app.use(healthRoute.path, async (c, next) => {
    await showGuest(c, service);
    await next();
  });
  mount(app, service, healthRoute, true);
  mountStripeWebhook(app, service);
  mountProviderSignIn(app, service);
  for (const route of [importRoute, ...copiedPlain.imports]) mountImport(app, service, route);
  for (const { path } of [families.v1, families.dashboard]) app.use(path, admit(service));
  mountOAuth(app, service, appRoutes);
  refusePasswords(app, service);

  for (const route of [...openAuthRoutes, ...openMemberRoutes]) mount(app, service, route, true);
  for (const route of [rawDownloadRoute, ...copiedPlain.raw]) {
    mountRawDownload(app, service, route);
  }
  for (const route of [attachmentRoute, ...copiedPlain.attachments]) {
    mountAttachmentDownload(app, service, route);
  }
  for (const route of [exportRoute, ...copiedPlain.exports]) {
    mountExport(app, service, route, { whole: false });
  }
  mountExport(app, service, mailboxFileRoute, { whole: true });
  mountDownload(app, service);
  mountPutUpload(app, service);
  mountMailHtml(app, service);
  mountDraftParts(app, service);
  mountEventStreams(app, service);
  for (const route of [...callerRoutes, ...copiedRows]) mount(app, service, route, false);
  mountMcp(app, service);
  mountInbound(app, service);
  // Before the operator's routes, because it accepts another token too.
  mountMetrics(app, service);
  mountOperator(app, service);
  mountReference(app, service, served);
  mountPages(app, service);
  refuseOtherMethods(app);
  return app;
}

/** People give the URL of the MCP server to clients with a slash at its end too. */
function servedPath(request: Request): string {
  const path = getPath(request);
  return path === `${families.mcp.path}/` ? families.mcp.path : path;
}

/** A known path with another method is 405 with `Allow`, not 404. */
function refuseOtherMethods(app: Hono<Env>): void {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of Object.values(served).flat()) {
    allowed.set(path, [...allowed.get(path) ?? [], method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  const routes = [...allowed].map(([path, methods]) => ({ parts: path.split("/"), methods }));
  const parameters = (path: string) => path.split(":").length;
  // `/emails/batch` before `/emails/:messageId`, which would answer for it.
  for (const path of [...allowed.keys()].sort((a, b) => parameters(a) - parameters(b))) {
    // `/emails/send` is also an `/emails/:messageId`: both routes' methods are allowed there.
    const parts = path.split("/");
    const methods = routes.flatMap((route) => covers(route.parts, parts) ? route.methods : []);
    app.all(path, (c) => {
      c.header("Allow", [...new Set(methods)].join(", "));
      throw new ServiceError("METHOD_NOT_ALLOWED");
    });
  }
}

/** Whether requests for `path` also match `route`; both are the parts of Hono patterns. */
function covers(route: string[], path: string[]): boolean {
  return route.length === path.length &&
    route.every((part, n) => part === path[n] || part.startsWith(":"));
}
