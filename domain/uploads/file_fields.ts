import { z } from "zod";
import { hasLineBreakOrControl } from "../../mime/headers/address_list.ts";

/** RFC 2045 5.1, without comments; parameters as tokens or quoted text. */
const contentType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s?;\s?[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\r\n]*"))*$/;

/** The name of a file that is attached. */
export function filenameField() {
  return headerText("filename", 255).min(1);
}

/** The media type of a file that is attached. */
export function contentTypeField() {
  return z.string().max(255).regex(contentType, "must be a media type such as text/csv")
    .refine((type) => !/^multipart\//i.test(type), "must not be a multipart type");
}

/** Text that becomes a header field. */
export function headerText(field: string, maxLength: number) {
  return z.string().max(maxLength).refine(
    (text) => !hasLineBreakOrControl(text),
    `${field} must not hold line breaks or control characters`,
  );
}
