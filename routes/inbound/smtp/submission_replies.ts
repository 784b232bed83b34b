import { ServiceError } from "../../../domain/core/errors.ts";
import type { Service } from "../../../domain/core/service.ts";
import { exceptionFacts } from "../../http/failures.ts";
import { SmtpReply } from "./smtp_server.ts";

/** A reply line has at most 512 octets (RFC 5321, section 4.5.3.1.5). */
const maxReplyChars = 400;

/** The reply to a submission that an error of the service refuses (docs/specification.md "SMTP submission"). */
export function submissionReply(service: Service, error: unknown): SmtpReply {
  if (error instanceof SmtpReply) return error;
  if (!(error instanceof ServiceError)) {
    service.log.error("submission.failed", exceptionFacts(error));
    return new SmtpReply(451, "4.3.0 Not now; try again");
  }
  const [code, status] = codesOf(error);
  return new SmtpReply(code, `${status} ${error.message.slice(0, maxReplyChars)}`);
}

function codesOf({ code, details }: ServiceError): [code: number, status: string] {
  switch (code) {
    case "EMAIL_TOO_LARGE":
      return [552, "5.3.4"];
    case "RATE_LIMIT_EXCEEDED":
      return [451, "4.7.1"];
    case "SERVICE_UNAVAILABLE":
    case "INTERNAL_ERROR":
      return [451, "4.3.0"];
    case "RECIPIENT_SUPPRESSED":
      return [550, "5.1.1"];
    case "CONFLICT":
      return [554, "5.6.0"];
    case "BAD_REQUEST":
      return [550, "5.6.0"];
    case "FORBIDDEN":
      // A quota of the plan, or the room for drafts.
      return "limit" in details ? [452, "4.7.1"] : [550, "5.7.1"];
    default:
      return "from" in details ? [553, "5.7.1"] : [550, "5.7.1"];
  }
}
