import assert from "node:assert/strict";
import {
  type Command,
  commandOf,
  type KeyPress,
  type Place,
} from "../../../dashboard/keyboard/commands.ts";

const list: Place = {
  inMail: true,
  inThread: false,
  inWaiting: false,
  hasSelection: false,
  walking: false,
  afterG: false,
};
const thread: Place = { ...list, inThread: true };
const elsewhere: Place = { ...list, inMail: false };
const waiting: Place = { ...elsewhere, inWaiting: true };
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  modified: false,
  inText: false,
  inDialog: false,
  onControl: false,
  ...more,
});

Deno.test("each key of the table has its action, in the places that the table names", () => {
  const rows: [string, Place, Command | null][] = [
    ["j", list, { name: "next" }],
    ["k", thread, { name: "previous" }],
    ["j", elsewhere, null],
    ["Enter", list, { name: "open" }],
    ["u", list, { name: "markUnread" }],
    ["u", thread, { name: "markUnread" }],
    ["I", list, { name: "markRead" }],
    ["I", thread, { name: "markRead" }],
    ["I", elsewhere, null],
    ["f", thread, { name: "forward" }],
    ["f", list, null],
    ["Escape", thread, { name: "back" }],
    ["Escape", { ...list, hasSelection: true }, { name: "selectNone" }],
    ["Escape", elsewhere, null],
    ["r", thread, { name: "reply" }],
    ["r", list, null],
    ["x", list, { name: "select" }],
    ["X", list, { name: "selectRange" }],
    ["#", list, { name: "delete" }],
    ["#", elsewhere, null],
    ["/", elsewhere, { name: "go", to: "/app/search" }],
    ["c", elsewhere, { name: "write" }],
    ["?", elsewhere, { name: "help" }],
    ["g", list, { name: "prefix" }],
    ["A", waiting, { name: "press", shortcut: "Shift+A" }],
    ["R", waiting, { name: "press", shortcut: "Shift+R" }],
    ["e", waiting, { name: "press", shortcut: "e" }],
    ["j", waiting, { name: "press", shortcut: "j" }],
    ["k", waiting, { name: "press", shortcut: "k" }],
    ["a", waiting, null],
    ["Enter", waiting, null],
    ["u", waiting, { name: "go", to: "/app/drafts" }],
    ["Escape", waiting, { name: "go", to: "/app/drafts" }],
    ["A", elsewhere, null],
  ];
  for (const [key, place, command] of rows) {
    assert.deepEqual(commandOf(press(key), place), command, `${key} ${JSON.stringify(place)}`);
  }
});

Deno.test("after g a letter leads to a page, and another key keeps its meaning", () => {
  const after = { ...list, afterG: true };
  const to = "iawckdu".split("").map((key) => commandOf(press(key), after));
  assert.deepEqual(to, [
    { name: "go", to: "/app/mail/all" },
    { name: "go", to: "/app/arrivals" },
    { name: "go", to: "/app/webhooks" },
    { name: "go", to: "/app/apps" },
    { name: "go", to: "/app/keys" },
    { name: "go", to: "/app/domains" },
    { name: "go", to: "/app/usage" },
  ]);
  assert.deepEqual(commandOf(press("j"), after), { name: "next" });
});

Deno.test("letters in text, held modifiers and keys in an open dialog do nothing", () => {
  for (const key of ["j", "c", "g", "/", "?", "#", "Enter", "Escape"]) {
    for (const more of [{ inText: true }, { modified: true }, { inDialog: true }]) {
      assert.equal(commandOf(press(key, more), thread), null, `${key} ${JSON.stringify(more)}`);
    }
  }
});

Deno.test("Enter activates the focused control, unless j or k was the last key", () => {
  const onLink = press("Enter", { onControl: true });
  assert.equal(commandOf(onLink, list), null);
  assert.deepEqual(commandOf(onLink, { ...list, walking: true }), { name: "open" });
});
