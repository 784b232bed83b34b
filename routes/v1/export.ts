import type { Hono } from "hono";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import {
  exportInput,
  exportLine,
  exportScope,
  openExport,
} from "../../domain/mail/read/exporting/export_mailbox.ts";
import { dispositionOf } from "./attachments.ts";
import { sendTexts } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";
import { exceptionFacts, requestFacts } from "../http/failures.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { queryOf, refuseUnknownQuery, typedQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";

const mailboxIdParameter = {
  in: "path",
  name: "mailboxId",
  description: "The mailbox; see list_mailboxes",
  example: "0199a1c2-6a10-7000-8000-3c2b1a0f9e8d",
} as const;

export const exportRoute: PlainRoute = {
  family: "v1",
  tag: "Mailboxes",
  method: "GET",
  path: "/v1/api/mailboxes/:mailboxId/export",
  name: "export_mailbox",
  title: "Export a mailbox",
  description:
    "The mail of a mailbox with its original messages, in the order in which it came into the store: a line of JSON each, then a line with `next_cursor`, which " +
    "is `after` of the next export. Mail that is imported later comes after every cursor that was given before. A stream whose last line is not `next_cursor` broke off: ask again. It costs " +
    "one request. An account has at most 2 exports at once.",
  access: "account",
  scope: exportScope,
  parameters: [
    mailboxIdParameter,
    ...Object.entries(exportInput.shape).map(([name, schema]) => ({
      in: "query" as const,
      name,
      description: schema.description ?? "",
      schema,
    })),
  ],
  success: {
    status: 200,
    description: "Lines of JSON",
    contentType: "application/x-ndjson",
    schema: exportLine,
    example: { next_cursor: null },
  },
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
};

/** All mail of a mailbox as one file, which a browser writes to the disk while it comes. */
export const mailboxFileRoute: PlainRoute = {
  ...exportRoute,
  family: "dashboard",
  path: "/api/mailboxes/:mailboxId/file",
  name: "download_mailbox",
  title: "Download a mailbox",
  description:
    "All mail of a mailbox as one file of the lines of `export_mailbox`, which an import reads. Its last line is `next_cursor` null; without it the file is " +
    "incomplete.",
  parameters: [mailboxIdParameter],
  success: {
    ...exportRoute.success,
    headers: { "Content-Disposition": "attachment; the name of the file is the address" },
  },
};

export function mountExport(
  app: Hono<Env>,
  service: Service,
  route: PlainRoute,
  { whole }: { whole: boolean },
): void {
  app.get(route.path, async (c) => {
    refuseUnknownQuery(c, route);
    const { address, lines, ended } = await openExport(
      service,
      requireCaller(c),
      c.req.param("mailboxId") ?? "",
      typedQuery(exportInput, queryOf(c)),
      { signal: c.req.raw.signal, confirm: () => c.get("confirmCaller")() },
      { whole },
    );
    if (whole) c.header("Content-Disposition", dispositionOf(`${address}.ndjson`));
    const facts = requestFacts(c);
    /** The answer has begun: a failure ends it before its last line. */
    const untilFailure = async function* () {
      try {
        yield* lines;
      } catch (error) {
        if (error instanceof ServiceError) return;
        service.log.error("request.failed", { ...exceptionFacts(error), ...facts });
      }
    };
    return await sendTexts(c, untilFailure(), "application/x-ndjson", ended);
  });
}
