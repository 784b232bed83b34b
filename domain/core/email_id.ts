import { z } from "zod";

/** The id of an email in requests and responses. The pattern is documentation, not a check. */
export const emailId = z.string().min(1).meta({
  id: "EmailId",
  description:
    "Letterbox's id of the email: letters, digits, `_` and `-`. The same value is `messageId` in paths. " +
    "It is not the Message-ID header, which is `message_id`.",
  pattern: "^[A-Za-z0-9_-]+$",
});
