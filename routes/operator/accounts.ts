import type { Hono } from "hono";
import { equalSecrets } from "../../domain/accounts/secrets.ts";
import {
  operatorConfirm,
  operatorReset,
} from "../../domain/accounts/new_password/operator_reset.ts";
import { invite } from "../../domain/accounts/registration/invitations.ts";
import { createAccount } from "../../domain/accounts/registration/operator_account.ts";
import { setPlan } from "../../domain/accounts/set_plan.ts";
import { notFound, ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { bearerToken } from "../http/access.ts";
import { wrongProof } from "../http/rate_limit.ts";
import { mount, type RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { jobRoutes } from "./jobs.ts";
import type { Env } from "../http/env.ts";

const row = rowsOf("/operator", { family: "operator", tag: "Operator" });

export const operatorRoutes: RestRoute[] = [
  row("PUT", "/accounts/plan", setPlan, "json"),
  row("POST", "/accounts", createAccount, "json", { strict: true, status: 201 }),
  row("POST", "/accounts/reset-password", operatorReset, "json", { strict: true }),
  row("POST", "/accounts/confirm", operatorConfirm, "json", { strict: true }),
  row("POST", "/invitations", invite, "json", { strict: true, status: 201 }),
  ...jobRoutes,
];

/** Mounts the operator's routes: 404 if OPERATOR_TOKEN is not set, 401 for a wrong token. */
export function mountOperator(app: Hono<Env>, service: Service): void {
  app.use("/operator/*", async (c, next) => {
    const token = service.settings.OPERATOR_TOKEN;
    if (!token) throw notFound("route");
    const given = bearerToken(c);
    if (!given || !equalSecrets(given, token)) {
      const reason = "The operator token is missing or wrong.";
      throw await wrongProof(c, service, new ServiceError("UNAUTHORIZED", reason));
    }
    await next();
  });
  for (const route of operatorRoutes) mount(app, service, route, true);
}
