import { fileURLToPath } from "node:url";
import { bounded } from "../eventually.ts";
import type { ServedService } from "./served.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));

/** What a program prints until it ends, or until it has printed `last`: then it is killed. */
export async function printed(
  served: ServedService,
  command: string,
  args: string[],
  { env = {}, last }: { env?: Record<string, string>; last?: string } = {},
): Promise<string> {
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(command, { args, env, cwd, ...pipes }).spawn();
  const texts = ["", ""];
  let isOver = false;
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, n: number) => {
    for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
      texts[n] += piece;
      if (isOver || last === undefined || !texts.join("").includes(last)) continue;
      isOver = true;
      child.kill("SIGKILL");
    }
  };
  const ended = Promise.all([read(child.stdout, 0), read(child.stderr, 1), child.status]);
  await bounded(command, ended, served.test.log, 60_000);
  return texts.join("");
}
