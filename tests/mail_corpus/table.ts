// deno task corpus [DIR] [WORD...]: the table of the corpus by kind, and each mail that does not hold. A word chooses
// kinds and names that have it; DIR is another folder of the same form.
import { existsSync } from "node:fs";
import { account, testService } from "../service.ts";
import { corpusDir, corpusMails, judge } from "./corpus.ts";

const args = Deno.args.slice();
const dir = args[0]?.includes("/") && existsSync(args[0]) ? args.shift()! : corpusDir;
const mails = corpusMails(dir).filter(({ kind, name }) =>
  args.length === 0 || args.some((word) => `${kind}/${name}`.includes(word))
);
const kinds = new Map<string, { holds: number; all: number }>();
{
  await using test = await testService();
  const owner = await account(test);
  for (const mail of mails) {
    const wrong = await judge(test, owner, mail, dir);
    for (const each of wrong) console.log(`${mail.kind}/${mail.name}: ${each}`);
    const row = kinds.get(mail.kind) ?? { holds: 0, all: 0 };
    kinds.set(mail.kind, { holds: row.holds + (wrong.length === 0 ? 1 : 0), all: row.all + 1 });
  }
}
const rows = [...kinds].map(([kind, { holds, all }]) => ({ kind, holds, of: all }));
const sum = (of: (row: typeof rows[number]) => number) =>
  rows.reduce((all, row) => all + of(row), 0);
console.table(rows);
console.log(`${sum(({ holds }) => holds)} of ${sum(({ of }) => of)} hold`);
Deno.exit(rows.every(({ holds, of }) => holds === of) ? 0 : 1);
