import { fileURLToPath } from "node:url";

/** What the model says of one text. */
export type Answer = { vector: number[] } | { error: string };

/** A process that reads texts and writes vectors, a line of JSON each. */
export class ModelProcess {
  private readonly child: Deno.ChildProcess;
  private readonly input: WritableStreamDefaultWriter<Uint8Array>;
  private readonly encoder = new TextEncoder();

  /** @param ended is called once, with the reason, if the process ends or answers nonsense. */
  constructor(
    module: URL,
    private readonly answered: (answer: Answer) => void,
    private readonly ended: (why: string) => void,
  ) {
    const program = fileURLToPath(module);
    const config = fileURLToPath(new URL("./deno.json", module));
    this.child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--frozen", "--config", config],
        ...["--allow-read", "--allow-env", "--allow-sys", program],
      ],
      env: { NO_COLOR: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.input = this.child.stdin.getWriter();
    this.follow().then(this.ended, (error) => this.ended((error as Error).message));
  }

  ask(text: string): void {
    // A process that has ended reports it by `ended`.
    this.input.write(this.encoder.encode(`${JSON.stringify(text)}\n`)).catch(() => {});
  }

  end(): void {
    this.input.abort().catch(() => {});
    try {
      this.child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }

  /** Passes the answers on; returns why the process ended. */
  private async follow(): Promise<string> {
    const errors = beginningOf(this.child.stderr);
    let rest = "";
    for await (const piece of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.answered(JSON.parse(line));
    }
    const { code } = await this.child.status;
    return (await errors).trim().split("\n")[0] || `it ended with status ${code}`;
  }
}

/** Characters of stderr that are kept. */
const maxErrors = 1_000;

/** Reads a stream to its end; returns the beginning of it. */
async function beginningOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    if (text.length < maxErrors) text += piece.slice(0, maxErrors);
  }
  return text;
}
