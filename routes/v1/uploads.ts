import type { Context, Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { createUpload, uploadPath } from "../../domain/uploads/create_upload.ts";
import { openUpload, receiveUpload } from "../../domain/uploads/receive_upload.ts";
import { bodyOf, lengthOf } from "../http/bodies/body.ts";
import { inData } from "../http/envelopes.ts";
import type { Env } from "../http/env.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";

const drafts = { family: "v1", tag: "Drafts" } as const;

export const uploadRoutes: RestRoute[] = [
  rowsOf("/v1/api/uploads", drafts)("POST", "", createUpload, "json", {
    strict: true,
    bodyOptional: true,
    status: 201,
  }),
];

export const putUploadRoute: PlainRoute = {
  ...drafts,
  method: "PUT",
  path: `${uploadPath}:token`,
  name: "put_upload",
  title: "Send the bytes of an upload",
  description:
    "The upload_url of `POST /v1/api/uploads`: takes the bytes of the file, once, without a key. 200 promises that they are durable. A file that is larger than the plan takes as a " +
    "mail is PAYLOAD_TOO_LARGE, one for which the storage has no room FORBIDDEN, and an upload whose time is over or whose key has ended NOT_FOUND.",
  access: "everybody",
  parameters: [{
    in: "path",
    name: "token",
    description: "The end of upload_url",
    example: "5f0c...",
  }],
  body: { contentType: "*/*", description: "The bytes of the file, of any content type" },
  success: {
    status: 200,
    description: "The bytes are stored",
    contentType: "application/json",
    schema: inData.schema(
      z.object({ upload_id: z.string(), size: z.int().describe("Bytes") })
        .meta({ id: "ReceivedUpload", description: "An upload whose bytes are stored" }),
    ),
    example: {
      success: true,
      data: { upload_id: "01a1fd7a-5e6f-7000-8a7b-8c9d0e1f2a3b", size: 412 },
    },
  },
  errors: [
    "VALIDATION_ERROR",
    "BAD_REQUEST",
    "FORBIDDEN",
    "NOT_FOUND",
    "REQUEST_TIMEOUT",
    "CONFLICT",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ],
};

/** Mounts the PUT of an upload's bytes. They count in the memory of the account that made the upload. */
export function mountPutUpload(app: Hono<Env>, service: Service): void {
  app.put(putUploadRoute.path, async (c) => {
    refuseUnknownQuery(c, putUploadRoute);
    const { token = "" } = c.req.param() as Record<string, string>;
    const open = await openUpload(service, token);
    requireWholeFile(c);
    c.set("caller", open.caller);
    const received = { declaredSize: lengthOf(c), body: bodyOf(c) };
    return c.json({ success: true, data: await receiveUpload(service, open, received) });
  });
}

/** Otherwise the form, the compressed bytes or the part would be stored as the file (RFC 9110, 14.5). */
function requireWholeFile(c: Context): void {
  if (c.req.header("content-range") !== undefined) {
    throw new ServiceError(
      "BAD_REQUEST",
      "The body must be the whole file: there is no Content-Range here.",
    );
  }
  const isForm = /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");
  const isCompressed = !/^(?:identity)?$/i.test(c.req.header("content-encoding") ?? "");
  if (!isForm && !isCompressed) return;
  const what = isForm ? "a form" : "compressed";
  const message = `The body must be the bytes of the file, not ${what} (curl -T FILE URL).`;
  throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", message);
}
