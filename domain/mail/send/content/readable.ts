import { invalidField, unavailable } from "../../../core/errors.ts";
import type { Service } from "../../../core/service.ts";
import type { Submission } from "../outgoing_message.ts";

/**
 * The message with the texts and files that a person reads before it is approved: of one that has its bytes, those that are
 * in them. Throws VALIDATION_ERROR if it cannot be shown whole.
 */
export async function readable(
  { parsing }: Pick<Service, "parsing">,
  submission: Submission,
): Promise<Submission> {
  const { written, mailbox: { userId } } = submission;
  if (!written) return submission;
  const { bytes } = written;
  const message = { userId, size: bytes.length, load: () => Promise.resolve(bytes) };
  const { text, html, attachments, ...rest } = await parsing.parse(message);
  const why = rest.hasOtherForms || rest.unseen !== undefined
    ? "has text that a person does not see: AMP, watch or rich text, or characters without a form"
    : rest.truncated || rest.problem !== null
    ? "is too long or malformed to be shown whole"
    : null;
  if (why) throw invalidField("message", `must be approved by a person, and ${why}`);
  const ids = attachments.map(({ attachmentId }) => attachmentId);
  const contents = ids.length === 0 ? [] : await parsing.attachments(message, ids);
  return {
    ...submission,
    text,
    ...html !== null && { html },
    attachments: attachments.map(({ filename, contentType, contentId }, n) => {
      const content = contents[n];
      if (!content) throw unavailable("An attachment could not be decoded in time.");
      return { filename: filename ?? "", contentType, ...contentId && { contentId }, content };
    }),
  };
}
