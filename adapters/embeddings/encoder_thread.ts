/** The model's answer for one text. */
export type Answer = { vector: number[] } | { error: string };

/** A thread that gets texts and answers each with a vector. */
export class ModelThread {
  private readonly worker: Worker;

  /** @param ended is called once, with the reason, if the thread ends by itself. */
  constructor(module: URL, answered: (answer: Answer) => void, ended: (why: string) => void) {
    this.worker = new Worker(module, { type: "module", name: "sentence model" });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => answered(data);
    this.worker.onerror = (event) => {
      // Without this the error would end the whole process.
      event.preventDefault();
      this.end();
      ended(event.message);
    };
  }

  ask(text: string): void {
    this.worker.postMessage(text);
  }

  end(): void {
    this.worker.terminate();
  }
}
