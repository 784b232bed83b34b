import type { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../domain/service.ts";
import { llmsText } from "./llms_text.ts";
import { openApiDocument, type Served } from "./openapi.ts";
import type { PlainRoute } from "./plain_route.ts";
import { type ReferenceDocument, referencePage } from "./reference_page.ts";
import type { Env } from "./rest.ts";

const open = { method: "GET", access: "everybody", errors: [] } as const;

export const referenceRoutes: PlainRoute[] = [
  {
    ...open,
    path: "/openapi.json",
    name: "get_openapi",
    title: "This document",
    description: "The OpenAPI 3.1 document of every route, made from the operations themselves.",
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
    title: "The reference page",
    description: "This document as a page for people; it loads nothing from anywhere.",
    success: { status: 200, description: "The page", contentType: "text/html" },
  },
  {
    ...open,
    path: "/llms.txt",
    name: "get_llms_text",
    title: "The service for models",
    description: "What a model needs to know to use the service, in one short text (llmstxt.org).",
    success: { status: 200, description: "Markdown", contentType: "text/plain" },
  },
];

/** Nothing of the page runs, and nothing is loaded. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

/** The reference: for machines, for people, for models. Made once, when it is first asked for. */
export function mountReference(app: Hono<Env>, service: Service, served: Served): void {
  const { settings, version } = service;
  let made: Record<string, unknown> | null = null;
  const document = () => made ??= openApiDocument(served, { baseUrl: settings.BASE_URL, version });
  // The document is built here, a few lines away, in the form that the page reads.
  const readable = () => document() as unknown as ReferenceDocument;
  app.get("/openapi.json", (c) => c.json(document()));
  app.get("/docs", (c) => {
    c.header("Content-Security-Policy", pagePolicy);
    c.header("X-Content-Type-Options", "nosniff");
    return c.html(referencePage(readable()));
  });
  app.get("/llms.txt", (c) => c.text(llmsText(readable())));
}
