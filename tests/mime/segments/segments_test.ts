import assert from "node:assert/strict";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { type Segment, segmentsOf } from "../../../mime/segments/segments.ts";
import type { Piece } from "./clients.ts";
import { heldOutSamples, type NamedSample, tunedSamples } from "./corpus.ts";

/** Letters and digits of a line; marks, blanks and the addresses behind links do not count. */
const bare = (line: string) =>
  line.replace(/\[[^\]]*\]/g, "").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

/** How many lines with letters are in a segment of the right origin. */
function linesOf(sample: NamedSample): { right: number; wrong: string[] } {
  const body = parseBody(sample.raw);
  const segments = segmentsOf(body.text, body.html, { subject: sample.subject });
  const wanted = sample.pieces.map(({ origin, lines }: Piece) => ({
    origin,
    text: bare(lines.join("")),
  }));
  let at = 0;
  let from = 0;
  let right = 0;
  const wrong: string[] = [];
  for (const { origin, text } of segments.filter((one: Segment) => one.origin !== "hidden")) {
    for (const line of text.split("\n").map((one) => bare(one)).filter((one) => one !== "")) {
      let found = -1;
      while (at < wanted.length && (found = wanted[at].text.indexOf(line, from)) < 0) {
        at++;
        from = 0;
      }
      assert.ok(at < wanted.length, `${sample.name}: "${line}" stands nowhere`);
      from = found + line.length;
      if (wanted[at].origin === origin) right++;
      else wrong.push(`${sample.name}: ${origin} instead of ${wanted[at].origin}: ${line}`);
    }
  }
  return { right, wrong };
}

function shareOf(samples: NamedSample[]) {
  const results = samples.map(linesOf);
  const right = results.reduce((sum, one) => sum + one.right, 0);
  const wrong = results.flatMap((one) => one.wrong);
  return { share: right / (right + wrong.length), lines: right + wrong.length, wrong };
}

Deno.test("of 150 replies and forwards, 40 of them held out, 0.95 of lines are in the right segment", () => {
  assert.equal(tunedSamples.length + heldOutSamples.length, 150);
  assert.equal(heldOutSamples.length, 40);
  for (const [name, samples] of [["tuned", tunedSamples], ["held out", heldOutSamples]] as const) {
    const { share, lines, wrong } = shareOf(samples);
    console.log(`${name}: ${share.toFixed(4)} of ${lines} lines in ${samples.length} mails`);
    assert.ok(share >= 0.95, `${name}: ${share.toFixed(4)}\n${wrong.join("\n")}`);
  }
});
