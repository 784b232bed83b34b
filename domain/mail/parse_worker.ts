import { attachmentContent, type MessageBody, parseBody } from "./parse_body.ts";

/** What the pool asks of the Worker: the body of a message, or the bytes of one of its attachments. */
export interface ParseQuestion {
  raw: Uint8Array;
  attachmentId: string | null;
}

/** What comes back, in the order of the questions. */
export type ParseAnswer = { body: MessageBody } | { content: Uint8Array | null };

/** The part of a Worker's own scope that is used here; the page's library types do not have it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ParseQuestion>) => void) | null;
  postMessage(message: ParseAnswer, transfer: Transferable[]): void;
}

declare const self: WorkerScope;

self.onmessage = ({ data: { raw, attachmentId } }) => {
  if (attachmentId === null) self.postMessage({ body: parseBody(raw) }, []);
  else {
    const content = attachmentContent(raw, attachmentId);
    self.postMessage({ content }, content ? [content.buffer as ArrayBuffer] : []);
  }
};
