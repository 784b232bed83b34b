import type { Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { notFound, ServiceError, unavailable } from "../../domain/core/errors.ts";
import { soldPlans } from "../../domain/billing/provider.ts";
import type { Service } from "../../domain/core/service.ts";
import { hasSpareDescriptors } from "../../domain/core/work/spare_descriptors.ts";
import { sessionCookieName } from "../http/access.ts";
import { acceptsGzip, namesHtml } from "../http/accept.ts";
import { sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import { type BrowserCode, browserCode } from "./browser_code.ts";
import { readBrowserSources } from "./browser_sources.ts";
import { mountVerifyPage, verifyPath } from "./verify_page.ts";
import { etagOf, hasBody } from "../http/etag.ts";
import { authorizePath, signInPath } from "../oauth/authorize.ts";
import { providerPaths } from "./provider_sign_in.ts";

const ownPaths = ["/app", "/app/*", "/assets/*", verifyPath] as const;
/** Pages for people, and the files that these load. They do not belong to the API, so its document omits them. */
export const pagePaths = ["/", ...ownPaths, authorizePath, ...providerPaths] as const;

const year = 31_536_000;

/** A year: the path of a file has the hash of all files. */
const assetHeaders = {
  "Cache-Control": `public, max-age=${year}, immutable`,
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

/**
 * Mounts the dashboard: a client of this API with the session cookie, made from the files of `dashboard/`. Its pages
 * count in no request window and read no data of an account.
 */
export function mountPages(app: Hono<Env>, service: Service): void {
  const dashboard = dashboardOf(service);
  app.get("/", (c) => {
    c.header("Vary", "Accept");
    if (!namesHtml(c.req.header("accept"))) throw notFound("route");
    return c.redirect("/app/");
  });
  app.get("/app", (c) => c.redirect("/app/"));
  app.get("/app/*", async (c) => await page(c, service, await dashboard(true)));
  app.get("/assets/*", async (c) => {
    const asset = (await dashboard(false)).assets.get(c.req.path);
    if (!asset) throw notFound("route");
    const headers = { ...assetHeaders, "Content-Type": asset.contentType };
    if (!acceptsGzip(c.req.header("accept-encoding"))) {
      return sendBody(c, asset.body, 200, { headers });
    }
    return sendBody(c, asset.gzipped, 200, { headers: { ...headers, "Content-Encoding": "gzip" } });
  });
  mountVerifyPage(app);
  for (const path of ownPaths) {
    app.all(path, (c) => {
      c.header("Allow", "GET, HEAD");
      throw new ServiceError("METHOD_NOT_ALLOWED", undefined, {});
    });
  }
}

/** Every page is the same document; only the files that the browser loads at once differ. */
function page(c: Context<Env>, service: Service, { shell, policy }: BrowserCode): Response {
  const [, name = "mail"] = /^\/app\/([a-z]+)/.exec(c.req.path) ?? [];
  const isThread = /^\/app\/mail\/[^/]+\/t\//.test(c.req.path);
  const hasCookie = getCookie(c, sessionCookieName(service.settings)) !== undefined;
  const isOut = !hasCookie && name !== "reset";
  const html = isOut ? shell("sign_in") : isThread ? shell(name, "mail/thread") : shell(name);
  const etag = etagOf(html);
  // An app may have opened this window. Its own page then reports the result to the window that opened it.
  const isForApp = c.req.path === signInPath &&
    c.req.query("next")?.startsWith(`${authorizePath}?`);
  const headers = {
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": isForApp ? "unsafe-none" : "same-origin",
    "Cache-Control": "private, no-cache",
    "Content-Type": "text/html; charset=utf-8",
    ETag: etag,
  };
  return hasBody(c, etag) ? c.body(null, 304, headers) : c.body(html, 200, headers);
}

/**
 * Returns a function that returns the dashboard, which is made at the first request (0.3 s). In development every page
 * reads the files again, so that a change shows after a reload.
 */
function dashboardOf(service: Service): (isPage: boolean) => Promise<BrowserCode> {
  const { settings } = service;
  const facts = {
    soldPlans: soldPlans(service).join(" "),
    connects: settings.MCP_OAUTH ?? "off",
    passwords: settings.PASSWORD_LOGIN,
    provider: service.identityProvider?.name ?? "",
  };
  let made: Promise<BrowserCode> | null = null, from = "";
  const make = async () => {
    const sources = await readBrowserSources();
    const text = [...sources.files].flat().join("\0");
    if (made && text === from) return await made;
    from = text;
    return await (made = browserCode(sources, facts));
  };
  return async (isPage) => {
    if (made && !(isPage && settings.mode === "dev")) return await made;
    // Without descriptors no file can be read, and a module that failed to load would stay missing.
    if (!hasSpareDescriptors()) {
      if (made) return await made;
      throw unavailable("Too many connections are open at present.");
    }
    try {
      return await make();
    } catch (error) {
      // The next request tries again.
      made = null;
      throw error;
    }
  };
}
