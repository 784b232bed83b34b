// Loaded into the service's process (`deno run --preload`). No known mail takes 5 s to parse, so the parse worker of
// this process is replaced by one that works for 15 s on a message with `hangWords`. It ends then: Deno 2.9.6 cannot stop
// a thread that never yields (`terminate` does nothing), and a few such threads would use the whole processor.

/** Words of a message at which the planted parse worker hangs. */
export const hangWords = "the parse worker of this process hangs here";

/** Three times the deadline of a parse. */
const hangMs = 15_000;

/** The module of a worker that hangs at these words and is the real one for all other mail. */
function hangingModule(real: string): string {
  const program = `
    import ${JSON.stringify(real)};
    const answer = self.onmessage;
    self.onmessage = (event) => {
      const { raw } = event.data;
      if (raw && new TextDecoder().decode(raw).includes(${JSON.stringify(hangWords)})) {
        self.postMessage("begun");
        for (const from = performance.now(); performance.now() - from < ${hangMs};);
        return;
      }
      answer(event);
    };`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

if (Deno.env.has("PLANTED_HANG")) {
  const RealWorker = Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(module: string | URL, options?: WorkerOptions) {
      const parses = String(module).endsWith("/mime/body/parse_worker.ts");
      super(parses ? hangingModule(String(module)) : module, options);
    }
  };
}
