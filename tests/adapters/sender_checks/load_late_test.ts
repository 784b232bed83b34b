import assert from "node:assert/strict";

Deno.test("checks that could not be loaded for want of descriptors are loaded once there are some", async () => {
  const program = new URL("./load_late.ts", import.meta.url).pathname;
  const command = `ulimit -n 128 && "${Deno.execPath()}" run -A --no-check "${program}"`;
  const { stdout, stderr } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  assert.equal(
    new TextDecoder().decode(stdout),
    "failed\nloaded\n",
    new TextDecoder().decode(stderr),
  );
});
