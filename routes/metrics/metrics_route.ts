import type { Hono } from "hono";
import { equalSecrets } from "../../domain/accounts/secrets.ts";
import { notFound, ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { bearerToken } from "../http/access.ts";
import { sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { wrongProof } from "../http/rate_limit.ts";
import { metricsPage } from "./metrics_page.ts";

/** Prometheus' text format. */
const contentType = "text/plain; version=0.0.4; charset=utf-8";

export const metricsRoute: PlainRoute = {
  family: "operator",
  tag: "Operator",
  method: "GET",
  path: "/operator/metrics",
  name: "get_metrics",
  title: "Metrics",
  description:
    "Counters, gauges and histograms of this process for Prometheus. Takes METRICS_TOKEN too.",
  access: "operator",
  success: { status: 200, description: "Prometheus' text format 0.0.4", contentType: "text/plain" },
  errors: [],
};

/**
 * Mounts the metrics: 404 if neither METRICS_TOKEN nor OPERATOR_TOKEN is set, 401 for another token. To be mounted
 * before the operator's routes, whose middleware accepts only OPERATOR_TOKEN.
 */
export function mountMetrics(app: Hono<Env>, service: Service): void {
  const { METRICS_TOKEN, OPERATOR_TOKEN } = service.settings;
  const tokens = [METRICS_TOKEN, OPERATOR_TOKEN].filter((token) => token !== undefined);
  app.get(metricsRoute.path, async (c) => {
    if (tokens.length === 0) throw notFound("route");
    const given = bearerToken(c);
    if (!given || !tokens.some((token) => equalSecrets(given, token))) {
      const reason = "The token for metrics is missing or wrong.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    return sendBody(c, await metricsPage(service), 200, {
      headers: { "Content-Type": contentType },
    });
  });
}
