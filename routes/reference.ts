import type { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../domain/service.ts";
import { openApiDocument, type Served } from "./openapi.ts";
import type { PlainRoute } from "./plain_route.ts";
import type { Env } from "./rest.ts";

export const referenceRoutes: PlainRoute[] = [
  {
    method: "GET",
    path: "/openapi.json",
    name: "get_openapi",
    title: "This document",
    description: "The OpenAPI 3.1 document of every route, made from the operations themselves.",
    access: "everybody",
    success: {
      status: 200,
      description: "OpenAPI 3.1",
      contentType: "application/json",
      schema: z.looseObject({ openapi: z.literal("3.1.0") }),
    },
    errors: [],
  },
];

/** The reference: `/openapi.json` for machines. */
export function mountReference(app: Hono<Env>, service: Service, served: Served): void {
  const { settings, version } = service;
  let document: Record<string, unknown> | null = null;
  app.get("/openapi.json", (c) => {
    document ??= openApiDocument(served, { baseUrl: settings.BASE_URL, version });
    return c.json(document);
  });
}
