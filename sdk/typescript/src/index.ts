export { type ImportState, Letterbox } from "./client.ts";
export { type ErrorCode, LetterboxError } from "./errors.ts";
export { verifyWebhook, type WebhookEvent } from "./webhook.ts";
export type { AttachmentInput, FileInput } from "./attachments.ts";
export type { ExportedEmail } from "./export.ts";
export type { List } from "./list.ts";
export type { ClientOptions, Options } from "./transport.ts";
export type { Model } from "./types.ts";
export type { components, operations } from "./api.ts";
