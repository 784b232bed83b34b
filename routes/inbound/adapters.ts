import type { Hono } from "hono";
import type { Service } from "../../domain/service.ts";
import type { Env } from "../rest.ts";
import { mountMailgun } from "./mailgun.ts";
import { mountPostmark } from "./postmark.ts";
import { mountInboundRaw } from "./raw.ts";
import { mountSendgrid } from "./sendgrid.ts";
import { mountSes } from "./ses.ts";

/** Every way in over HTTP (DECISIONS.md 3); the providers' routes are 404 until their setting is there. */
export function mountInbound(app: Hono<Env>, service: Service): void {
  mountInboundRaw(app, service);
  mountMailgun(app, service);
  mountSendgrid(app, service);
  mountPostmark(app, service);
  mountSes(app, service);
}
