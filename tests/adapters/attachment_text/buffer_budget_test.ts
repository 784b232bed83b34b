import assert from "node:assert/strict";
import { bounded } from "../../eventually.ts";

/** The answer of a separate thread. */
async function inThread(code: string): Promise<unknown> {
  const budget = new URL("../../../adapters/attachment_text/buffer_budget.ts", import.meta.url);
  const program = `import { countBuffers, renewBudget } from "${budget}"; countBuffers(); ${code}`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  const worker = new Worker(url, { type: "module" });
  try {
    return await bounded(
      "the answer of a thread",
      new Promise((done, failed) => {
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = ({ message }) => failed(new Error(message));
      }),
    );
  } finally {
    worker.terminate();
  }
}

Deno.test("buffers above 64 MiB for one page are refused, in one piece or in many", async () => {
  const answer = await inThread(`
    const mib = 1024 * 1024;
    const takes = (make) => { try { make(); return true; } catch (error) { return error.name; } };
    renewBudget();
    const whole = takes(() => new Uint8Array(65 * mib));
    renewBudget();
    const wide = takes(() => new Float64Array(9 * mib));
    renewBudget();
    const many = [];
    for (let n = 0; n < 9; n++) many.push(takes(() => new ArrayBuffer(8 * mib)));
    renewBudget();
    const after = takes(() => new Uint8Array(8 * mib));
    const one = new Uint8Array([1, 2, 3]);
    postMessage({ whole, wide, many, after, isArray: one instanceof Uint8Array, sum: one[0] + one[2] });
  `);
  assert.deepEqual(answer, {
    whole: "RangeError",
    wide: "RangeError",
    many: [...Array(8).fill(true), "RangeError"],
    after: true,
    isArray: true,
    sum: 4,
  });
});
