import type { EncoderSource } from "./encoders/encoder.ts";

/**
 * The program of the thread. Never called: `deno cache main.ts` fetches the packages of what is imported, and finds no
 * module that only a Worker names.
 */
export const program = () => import("./encoder_worker.ts");

/** A text for the thread. */
export interface Question {
  text: string;
  isQuestion: boolean;
}

/** Its vector, and how long it took with the loading before it, ms. */
export type Answer = { vector: Float32Array; ms: number } | {
  error: string;
  /** The encoders could not be loaded, so the next text would fail too; they failed; the text cannot be read. */
  reason: "unloaded" | "failed" | "unreadable";
};

/** A thread that gets texts and answers each with a vector. It loads the encoders at the first text. */
export class EncoderThread {
  private readonly worker: Worker;

  /** @param ended is called once, with the reason, if the thread ends by itself. */
  constructor(
    module: URL,
    sources: readonly EncoderSource[],
    answered: (answer: Answer) => void,
    ended: (why: string) => void,
  ) {
    this.worker = new Worker(module, { type: "module", name: "sentence encoders" });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => answered(data);
    this.worker.onerror = (event) => {
      // Without this the error would end the whole process.
      event.preventDefault();
      this.end();
      ended(event.message);
    };
    this.worker.postMessage(sources);
  }

  ask(question: Question): void {
    this.worker.postMessage(question);
  }

  end(): void {
    this.worker.terminate();
  }
}
