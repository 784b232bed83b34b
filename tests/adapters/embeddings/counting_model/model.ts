// A program like the built-in model, for tests.
const encoder = new TextEncoder();
let rest = "";
let had = 0;
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const text: string = JSON.parse(line);
    if (text === "die") throw new Error("died by a test");
    had++;
    await new Promise((done) => setTimeout(done, 20));
    const answer = text === "no" ? { error: "not this one" } : { vector: [had, text.length] };
    await Deno.stdout.write(encoder.encode(`${JSON.stringify(answer)}\n`));
  }
}
