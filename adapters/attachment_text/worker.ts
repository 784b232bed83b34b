import type { TextKind } from "../../domain/ports/attachment_text.ts";
import { textOf } from "./text_of.ts";

export interface TextQuestion {
  kind: TextKind;
  bytes: Uint8Array;
}

/** A Worker sends "begun" before it reads, because the deadline counts from there, and then the answer. */
export type TextAnswer = "begun" | { text: string | null };

/** The members of a Worker's scope that are used here; the default library types lack them. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<TextQuestion>) => void) | null;
  postMessage(message: TextAnswer): void;
}

declare const self: WorkerScope;

self.onmessage = async ({ data: { kind, bytes } }) => {
  self.postMessage("begun");
  const text = await textOf(kind, bytes).catch(() => "");
  self.postMessage({ text: text === "" ? null : text });
};
