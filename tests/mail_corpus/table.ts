import { existsSync } from "node:fs";
import { command, runCommandLine, UsageError } from "../../commands/command_line.ts";
import { account, testService } from "../service.ts";
import { corpusDir, corpusMails, judge } from "./corpus.ts";

const program = command({
  description:
    "Prints by kind how many mails of tests/mail_corpus are read as the file beside them says, and each that is not. " +
    "Ends with 1 if there is one.",
  args: {
    dir: { type: "string", default: corpusDir, description: "another folder of the same form" },
    only: { type: "string", description: "kinds and names that have this word" },
  },
  async run({ dir, only = "" }) {
    if (!existsSync(dir)) throw new UsageError(`--dir: there is no folder ${dir}`);
    const mails = corpusMails(dir).filter(({ kind, name }) => `${kind}/${name}`.includes(only));
    const kinds: Record<string, { hold: number; of: number }> = {};
    {
      await using test = await testService();
      const owner = await account(test);
      for (const mail of mails) {
        const wrong = await judge(test, owner, mail, dir);
        for (const each of wrong) console.log(`${mail.kind}/${mail.name}: ${each}`);
        const row = kinds[mail.kind] ??= { hold: 0, of: 0 };
        row.of++;
        if (wrong.length === 0) row.hold++;
      }
    }
    console.table(kinds);
    const hold = Object.values(kinds).reduce((sum, row) => sum + row.hold, 0);
    console.log(`${hold} of ${mails.length} hold`);
    Deno.exit(hold === mails.length ? 0 : 1);
  },
});

await runCommandLine("deno task corpus", program, Deno.args);
