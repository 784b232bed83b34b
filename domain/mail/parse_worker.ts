import { type MessageBody, parseBody } from "./parse_body.ts";

/** What the pool asks of the Worker, and what comes back, in the order of the questions. */
export interface ParseAnswer {
  body: MessageBody;
}

/** The part of a Worker's own scope that is used here; the page's library types do not have it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Uint8Array>) => void) | null;
  postMessage(message: ParseAnswer, transfer: Transferable[]): void;
}

declare const self: WorkerScope;

self.onmessage = (event) => {
  const body = parseBody(event.data);
  // Parts without a transfer encoding are views of one buffer: each buffer goes over once.
  const buffers = new Set(body.attachments.map(({ content }) => content.buffer));
  self.postMessage({ body }, [...buffers].filter((buffer) => buffer instanceof ArrayBuffer));
};
