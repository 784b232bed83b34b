import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../../domain/core/service.ts";
import { llmsText } from "./llms_text.ts";
import { openApiDocument, type Served } from "./openapi.ts";
import { acceptsGzip } from "../http/accept.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { countGuest } from "../http/rate_limit.ts";
import type { ReferenceDocument } from "./page/document.ts";
import { readGuide } from "./page/guide.ts";
import { referencePage } from "./page/page.ts";
import { sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import { etagOf, hasBody } from "../http/etag.ts";

const open = {
  family: "reference",
  tag: "Reference",
  method: "GET",
  access: "everybody",
  others: [{ status: 304, description: "The document has not changed since If-None-Match" }],
  errors: ["RATE_LIMIT_EXCEEDED"],
} satisfies Partial<PlainRoute>;

export const referenceRoutes: PlainRoute[] = [
  {
    ...open,
    path: "/openapi.json",
    name: "get_openapi",
    title: "This document",
    description: "The OpenAPI 3.1 document of every route.",
    success: {
      status: 200,
      description: "OpenAPI 3.1",
      contentType: "application/json",
      schema: z.looseObject({ openapi: z.literal("3.1.0") }),
    },
  },
  {
    ...open,
    path: "/docs",
    name: "get_docs",
    title: "The guide and the reference",
    description:
      "A guide of four steps, then this document as a page for people, without scripts and external files.",
    success: { status: 200, description: "The page", contentType: "text/html" },
  },
  {
    ...open,
    path: "/llms.txt",
    name: "get_llms_text",
    title: "The service for models",
    description:
      "What a model needs to know to use the service, with the limits of its plans (llmstxt.org).",
    success: { status: 200, description: "Markdown", contentType: "text/plain" },
  },
];

/** No scripts, no loads, no frames. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** After an update of the service, caches serve the old documents for at most this long. */
const cacheSeconds = 300;

interface Made {
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  etag: string;
}

const zip = promisify(gzip);

/**
 * Mounts the reference for machines, people and models. Each document is made at its first request, and kept. Requests
 * count in the anonymous window of their client address.
 */
export function mountReference(app: Hono<Env>, service: Service, served: Served): void {
  const { settings, version } = service;
  let described: ReferenceDocument | null = null;
  // `openApiDocument` builds the form that the page reads.
  const document = () =>
    described ??= openApiDocument(served, {
      baseUrl: settings.BASE_URL,
      version,
    }) as unknown as ReferenceDocument;
  const serve = (
    path: string,
    headers: Record<string, string>,
    make: () => string | Promise<string>,
  ) => {
    let made: Promise<Made> | null = null;
    app.get(path, async (c) => {
      const refusal = await countGuest(c, service);
      if (refusal) throw refusal;
      const { body, gzipped, etag } = await (made ??= madeOf(make()));
      const all = {
        ...headers,
        "ETag": etag,
        "Cache-Control": `public, max-age=${cacheSeconds}`,
        "Vary": "Accept-Encoding",
      };
      if (hasBody(c, etag)) return c.body(null, 304, all);
      if (!acceptsGzip(c.req.header("accept-encoding"))) {
        return sendBody(c, body, 200, { headers: all });
      }
      return sendBody(c, gzipped, 200, { headers: { ...all, "Content-Encoding": "gzip" } });
    });
  };
  serve("/openapi.json", { "Content-Type": "application/json" }, () => JSON.stringify(document()));
  serve("/docs", {
    "Content-Type": "text/html; charset=UTF-8",
    "Content-Security-Policy": pagePolicy,
    "X-Content-Type-Options": "nosniff",
  }, async () => referencePage(document(), await readGuide(settings.BASE_URL)));
  serve(
    "/llms.txt",
    { "Content-Type": "text/plain; charset=UTF-8" },
    () => llmsText(document(), service.plans),
  );
}

async function madeOf(text: string | Promise<string>): Promise<Made> {
  const body = new TextEncoder().encode(String(await text));
  return { body, gzipped: new Uint8Array(await zip(body)), etag: etagOf(body) };
}
