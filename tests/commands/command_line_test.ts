import assert from "node:assert/strict";
import { command, prepare, UsageError } from "../../commands/command_line.ts";

/** A command like the real ones: an argument, options, a flag, subcommands. */
function cook() {
  const ran: unknown[] = [];
  const root = command({
    description: "Cooks.",
    args: { salt: { type: "boolean", description: "with salt" } },
    commands: {
      soup: () =>
        command({
          description: "Cooks soup.",
          args: {
            vegetable: { type: "positional", description: "what goes in" },
            minutes: { type: "string", description: "how long" },
          },
          run: ({ vegetable, minutes }) => void ran.push(["soup", vegetable, minutes]),
        }),
      bread: () => command({ description: "Bakes bread.", run: () => void ran.push(["bread"]) }),
    },
    run: ({ salt }) => void ran.push(["all", salt]),
  });
  const run = async (...args: string[]) => {
    const { help, start } = await prepare("deno task cook", root, args);
    if (help === null) await start();
    return help;
  };
  return { ran, run };
}

Deno.test("a command gets its options and arguments, also as a subcommand", async () => {
  const { ran, run } = cook();
  await run("soup", "leek", "--minutes", "20");
  await run("soup", "--minutes=5", "kale");
  await run("bread");
  await run("--salt");
  await run();
  assert.deepEqual(ran, [
    ["soup", "leek", "20"],
    ["soup", "kale", "5"],
    ["bread"],
    ["all", true],
    ["all", undefined],
  ]);
});

Deno.test("--help at any place shows the help of that command and runs nothing", async () => {
  const { ran, run } = cook();
  for (const flag of ["--help", "-h"]) {
    assert.match(
      await run(flag) ?? "",
      /Cooks\.[^]*deno task cook[^]*--salt[^]*soup +Cooks soup\./,
    );
    assert.match(
      await run("soup", "leek", flag) ?? "",
      /Cooks soup\.[^]*deno task cook soup[^]*--minutes/,
    );
    assert.match(await run("bread", "--wrong", flag) ?? "", /Bakes bread\./);
  }
  assert.deepEqual(ran, []);
});

Deno.test("an unknown command or option is refused in one sentence with the nearest known one", async () => {
  const { ran, run } = cook();
  const wrong: [string[], RegExp][] = [
    [["sopu"], /^deno task cook has no command sopu; the nearest is soup$/],
    [["--slat"], /^deno task cook has no option --slat; the nearest is --salt$/],
    [["soup", "leek", "--minute", "5"], /^deno task cook soup .* --minute; .* --minutes$/],
    [["soup", "leek", "-m"], /^deno task cook soup has no option -m; the nearest is --\w+$/],
    [["bread", "--salt"], /^deno task cook bread has no option --salt; the options are .*--help$/],
    [["bread", "white"], /^deno task cook bread takes no argument white$/],
    [["soup", "leek", "kale"], /^deno task cook soup takes no argument kale$/],
    [["soup"], /^deno task cook soup: missing required positional argument: VEGETABLE$/],
    [["soup", "leek", "--minutes"], /^deno task cook soup: --minutes needs a value$/],
    [["soup", "leek", "--no-minutes"], /^deno task cook soup: --minutes needs a value$/],
    [["soup", "leek", "--constructor=1"], /has no option --constructor; the options are --/],
    [["constructor"], /^deno task cook has no command constructor; the commands are soup, bread$/],
  ];
  for (const [args, message] of wrong) {
    await assert.rejects(run(...args), (error) => {
      assert.ok(error instanceof UsageError, `${args}: ${error}`);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.deepEqual(ran, []);
});
