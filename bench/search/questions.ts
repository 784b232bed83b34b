import { readCorpusMail } from "./corpus_mail.ts";
import type { Question, Task } from "./tasks.ts";
import { join } from "node:path";

/** A question of `tests/search/questions.json`. */
interface Asked {
  kind: "paraphrase" | "words";
  language: string;
  /** Constants are chosen with one half; the other judges them. */
  half: "tune" | "judge";
  text: string;
  /** The name of the file that has the mail. */
  mail: string;
}

/** Questions of one kind and half, each answered by one mail. */
export interface Group {
  name: string;
  questions: Question[];
}

/** The questions about the mail of a corpus, in groups, and that mail; `own` is what an author wrote, by email. */
export async function questionsAbout(
  corpus: string,
): Promise<{ emails: Task["emails"]; own: Map<string, string>; groups: Group[] }> {
  const path = new URL("../../tests/search/questions.json", import.meta.url);
  const asked: Asked[] = JSON.parse(await Deno.readTextFile(path));
  const mail = await readCorpusMail(join(corpus, "mail"));
  const groups = Map.groupBy(asked, ({ kind, language, half }) => {
    const what = kind === "words"
      ? "questions with words, identifiers and names"
      : `paraphrases in ${language === "English" ? "English" : "five other languages"}`;
    return `${what}, the half to ${half}`;
  });
  return {
    emails: mail.map(({ email }) => email),
    own: new Map(mail.map(({ email, own }) => [email.emailId, own])),
    groups: [...groups].map(([name, all]) => ({
      name,
      questions: all.map(({ text, mail }) => ({
        userId: "user",
        text,
        relevant: new Set([mail]),
      })),
    })),
  };
}
