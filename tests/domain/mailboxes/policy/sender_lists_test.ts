import assert from "node:assert/strict";
import { addressPattern } from "../../../../domain/mailboxes/policy/address_patterns.ts";
import {
  blocksReversePath,
  refusesSender,
} from "../../../../domain/mailboxes/policy/sender_lists.ts";

interface Row {
  allow?: string[];
  block?: string[];
  /** The reverse path. */
  path: string;
  authors: string[];
  cut?: boolean;
  refused: "at RCPT" | "after DATA" | "never";
}

const rows: Row[] = [
  { path: "a@x.example", authors: ["a@x.example"], refused: "never" },
  { path: "", authors: [], refused: "never" },
  // Blocks: the reverse path or any author.
  { block: ["a@x.example"], path: "A@X.example", authors: [], refused: "at RCPT" },
  { block: ["a@x.example"], path: "a+tag@x.example", authors: [], refused: "at RCPT" },
  { block: ["a@x.example"], path: '"a"@x.example', authors: [], refused: "at RCPT" },
  { block: ["a@x.example"], path: "ab@x.example", authors: ["c@x.example"], refused: "never" },
  { block: ["a+t@x.example"], path: "a@x.example", authors: [], refused: "never" },
  { block: ["@x.example"], path: "b@deep.x.example", authors: [], refused: "at RCPT" },
  { block: ["@x.example"], path: "b@notx.example", authors: ["b@example"], refused: "never" },
  { block: ["@bücher.example"], path: "b@xn--bcher-kva.example", authors: [], refused: "at RCPT" },
  { block: ["@x.example"], path: "b@y.example", authors: ["c@X.Example."], refused: "after DATA" },
  {
    block: ["@x.example"],
    path: "",
    authors: ["b@y.example", "c@x.example"],
    refused: "after DATA",
  },
  { block: ["@x.example"], path: "", authors: ["b@y.example"], cut: true, refused: "never" },
  // Allows: every author; the reverse path does not count.
  { allow: ["@x.example"], path: "bounce@y.example", authors: ["a@x.example"], refused: "never" },
  { allow: ["@x.example"], path: "a@x.example", authors: ["a@y.example"], refused: "after DATA" },
  { allow: ["@x.example"], path: "a@x.example", authors: [], refused: "after DATA" },
  { allow: ["@x.example"], path: "", authors: ["a@x.example"], cut: true, refused: "after DATA" },
  { allow: ["a@x.example"], path: "", authors: ["a+tag@x.example"], refused: "after DATA" },
  {
    allow: ["@x.example"],
    path: "",
    authors: ["a@x.example", "b@y.example"],
    refused: "after DATA",
  },
  {
    allow: ["@x.example", "b@y.example"],
    path: "",
    authors: ["a@x.example", "b@y.example"],
    refused: "never",
  },
  { allow: ["@x.example"], path: "", authors: ["a@x.example@y.example"], refused: "after DATA" },
  { allow: ["@x.example"], path: "", authors: ["no address"], refused: "after DATA" },
  // A domain with two readings is on no list that allows; a block holds for what people see.
  { allow: ["@bank.example"], path: "", authors: ["a@ｂank.example"], refused: "after DATA" },
  { allow: ["a@bank.example"], path: "", authors: ["a@ba\u00adnk.example"], refused: "after DATA" },
  { allow: ["@bücher.example"], path: "", authors: ["a@BÜCHER.example"], refused: "never" },
  { block: ["@bank.example"], path: "", authors: ["a@ba\u200bnk.example"], refused: "after DATA" },
  // A block wins.
  {
    allow: ["@x.example"],
    block: ["a@x.example"],
    path: "",
    authors: ["a@x.example"],
    refused: "after DATA",
  },
  {
    allow: ["@x.example"],
    block: ["@x.example"],
    path: "a@x.example",
    authors: [],
    refused: "at RCPT",
  },
];

for (const { allow = [], block = [], path, authors, cut = false, refused } of rows) {
  const name = `allow [${allow}], block [${block}]: <${path}> of [${authors}]${
    cut ? " and more" : ""
  }`;
  Deno.test(`${name} is refused ${refused}`, () => {
    const lists = {
      allowSenders: allow.map((each) => addressPattern(each)!),
      blockSenders: block.map((each) => addressPattern(each)!),
    };
    assert.equal(blocksReversePath(lists, path), refused === "at RCPT");
    const sender = { reversePath: path, authors, authorsCut: cut };
    assert.equal(refusesSender(lists, sender), refused !== "never");
  });
}
