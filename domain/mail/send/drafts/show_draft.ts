import type { Caller } from "../../../core/caller.ts";
import { notFound } from "../../../core/errors.ts";
import { type Call, requireScope } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { markedText } from "../../../../mime/text/unseen_characters.ts";
import { sha256Of } from "../../record/content_hash.ts";
import { type OpenAttachment, shownType } from "../../read/attachments/get_attachment.ts";
import type { ShownHtml } from "../../read/views/show_html.ts";
import { isOpen } from "../../lifecycle/draft.ts";
import { conflictOf, readDraft, requireHash, untilUnchanged } from "./draft.ts";
import { type LoadedDraft, loadOpen } from "./draft_content.ts";
import { getDraft } from "./list_drafts.ts";

/**
 * The HTML of the caller's open draft, made safe, if its content is still that of `hash`. Throws NOT_FOUND, FORBIDDEN,
 * CONFLICT and SERVICE_UNAVAILABLE.
 */
export async function showDraftHtml(
  service: Service,
  caller: Caller,
  draftId: string,
  { hash, remoteImages, reserve }: { hash: string; remoteImages: boolean } & Pick<Call, "reserve">,
): Promise<ShownHtml> {
  const { html, text = "" } = await opened(service, caller, draftId, reserve, (loaded) => {
    requireHash(loaded.hash, hash);
    return loaded.submission;
  });
  // What is not seen is marked for the person, and sent as it is.
  const none = {
    html: "",
    text: markedText(text),
    blockedImages: 0,
    problem: "This draft has no HTML.",
  };
  if (!html) return none;
  // The sanitiser reads messages; this one has no other part, so that no image is an attachment.
  const raw = new TextEncoder().encode(
    `Content-Type: text/html; charset=utf-8\r\n\r\n${html}`,
  );
  const source = { userId: caller.userId, size: raw.length, load: () => Promise.resolve(raw) };
  const safe = await service.parsing.safeHtml(source, { remoteImages, attachmentBase: "" });
  // Marked after the sanitiser, which has decoded what was written as `&#x202E;`.
  return safe === null ? none : { ...none, ...safe, html: markedText(safe.html) };
}

/**
 * The attachment of the caller's open draft that has these bytes. Throws NOT_FOUND if the draft has none such, FORBIDDEN,
 * CONFLICT and SERVICE_UNAVAILABLE.
 */
export async function openDraftAttachment(
  service: Service,
  caller: Caller,
  draftId: string,
  sha256: string,
  reserve?: Call["reserve"],
): Promise<OpenAttachment> {
  const found = await opened(
    service,
    caller,
    draftId,
    reserve,
    ({ submission: { attachments } }) => {
      const found = attachments.find(({ content }) => sha256Of(content) === sha256);
      if (!found) throw notFound("attachment");
      return found;
    },
  );
  const { contentType: mediaType, filename, content } = found;
  // A copy: a view would keep the whole draft in memory until the answer is sent.
  return { contentType: shownType(mediaType), filename, content: content.slice() };
}

/** What `take` takes of the open draft, which the audit shows as `get_draft`. */
async function opened<T>(
  service: Service,
  caller: Caller,
  draftId: string,
  reserve: Call["reserve"],
  take: (loaded: LoadedDraft) => T,
): Promise<T> {
  requireScope(caller, getDraft.scope);
  const audited = service.audit.begin(caller, getDraft.name, { surface: "rest" });
  const loaded = await untilUnchanged(async () => {
    const draft = await readDraft(service.database, caller, draftId);
    if (!isOpen(draft)) throw conflictOf(draft);
    await reserve?.(draft.content?.blob.size ?? 0);
    return await loadOpen(service, draft);
  });
  const taken = take(loaded);
  audited?.note({ mailboxId: loaded.draft.mailboxId });
  audited?.end(0);
  return taken;
}
