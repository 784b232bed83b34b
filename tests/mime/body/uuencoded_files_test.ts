import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { uuencodedFiles } from "../../../mime/body/uuencoded_files.ts";
import { slowerThanLinear } from "../../growth.ts";
import { nightly } from "../../nightly.ts";

const read = (text: string) => {
  const found = uuencodedFiles(Buffer.from(text));
  return found && [Buffer.from(found.rest).toString(), ...found.files.map(({ name }) => name)];
};
const lines = "#86)C\n`\n";

Deno.test("a file in a text is taken out, with any line ends, blanks and quote marks", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = `Hi\nbegin 644 a b.txt\n${lines}end\nBye\n`.replaceAll("\n", end);
    assert.deepEqual(read(text), [`Hi${end}Bye${end}`, "a b.txt"]);
  }
  const quoted = `> Hi\n> begin 0644 a\n> ${lines.replace("\n", "\n> ")}> end\n`;
  assert.deepEqual(read(quoted), ["> Hi\n", "a"]);
  assert.deepEqual(read(`begin 644 a\n${lines}end\nbegin 644 b\n${lines}end`), ["", "a", "b"]);
});

Deno.test("what only looks like a file is text", () => {
  for (
    const text of [
      ...["begin 644 a\n", "begin 644 a\nend\n", "begin 644 a\nThese are words.\nend\n"],
      ...["So begin 644 a\n#86)C\nend\n", `begin 644\n${lines}end\n`, `begin 899 a\n${lines}end\n`],
      ...[
        "begin 644 a\n#86)C\n> end\n",
        `begin 644 a\n${lines}`,
        "begin 644 a\n!86)C86)C86)C\nend\n",
      ],
    ]
  ) assert.equal(read(text), null, text);
});

nightly("files that never end take linear time", () => {
  for (
    const unit of [
      "begin 644 a\n",
      `begin 644 a\n${lines}`,
      `begin 644 a\n${lines}end\n`,
      "begin 6",
    ]
  ) {
    const textOf = (length: number) => unit.repeat(length / unit.length);
    const slower = slowerThanLinear(100_000, textOf, (text) => uuencodedFiles(Buffer.from(text)));
    assert.equal(slower, null, JSON.stringify(unit));
  }
});
