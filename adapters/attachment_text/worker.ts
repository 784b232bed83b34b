import type { TextKind } from "../../mime/body/attachment_kinds.ts";
import type { WorkerMessage } from "../../domain/core/work/worker_thread.ts";
import { countBuffers, renewBudget } from "./buffer_budget.ts";
import { textOf } from "./text_of.ts";

export interface TextQuestion {
  kind: TextKind;
  bytes: Uint8Array;
  charset?: string | null;
}

export interface TextAnswer {
  text: string | null;
}

/** The members of a Worker's scope that are used here; the default library types lack them. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<TextQuestion>) => void) | null;
  postMessage(message: WorkerMessage<TextAnswer>): void;
}

declare const self: WorkerScope;

// Before the libraries for the files are loaded: some keep references to the types of buffers.
countBuffers();

self.onmessage = async ({ data: { kind, bytes, charset } }) => {
  self.postMessage("begun");
  renewBudget();
  const text = await textOf(kind, bytes, charset).catch(() => "");
  self.postMessage({ text: text === "" ? null : text });
};
