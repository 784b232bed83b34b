import assert from "node:assert/strict";
import { messageIds } from "../../../mime/headers/message_ids.ts";

Deno.test("without brackets each word with an at sign is an id, and so is a single word without one", () => {
  const rows: [string, string[]][] = [
    ["one@x.example, two@x.example one@x.example", ["<one@x.example>", "<two@x.example>"]],
    ["20261120.1000", ["<20261120.1000>"]],
    ["20261120.1000>>", ["<20261120.1000>"]],
    ["your message of Friday", []],
    ["of Friday: one@x.example", ["<one@x.example>"]],
    ["<one@x.example> two@x.example", ["<one@x.example>"]],
    ["<", []],
    ["", []],
  ];
  for (const [field, ids] of rows) assert.deepEqual(messageIds(field), ids, field);
});
