import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { UsageError } from "../../commands/command_line.ts";
import type { IndexedEmail } from "../../domain/ports/search_index.ts";
import { type CorpusMail, indexed, readCorpusMail, subjectOfThread } from "./corpus_mail.ts";
import { type Judged, readCollection } from "./smart.ts";

/** Emails of one or more accounts, and questions with the emails that answer them. */
export interface Task {
  name: string;
  /** What is asked, in one line. */
  meaning: string;
  emails: IndexedEmail[];
  questions: Question[];
}

export interface Question {
  userId: string;
  text: string;
  relevant: Set<string>;
  /** The email that asks, if it is in the collection: it is no answer. */
  asker?: string;
}

/** How many characters of a message are the question for its thread: a few sentences, or a line. */
const long = 400, opening = 100;
/** Length of a cut body, and the least length of a message that can be a question, in characters. */
const cutBody = 300;
const leastOwn = 40;

/**
 * The tasks of a corpus: a folder with real messages in `mail/`, one a file, and the CISI collection in
 * `ir/cisi/`, in SMART format. Nothing of it is in this repository.
 *
 * @throws UsageError that names what is missing.
 */
export async function corpusTasks(corpus: string): Promise<Task[]> {
  for (const folder of ["mail", join("ir", "cisi")]) {
    if (existsSync(join(corpus, folder))) continue;
    throw new UsageError(
      `--corpus ${corpus} has no folder ${folder}: it wants messages in mail/, one a file, and docs, ` +
        "queries and qrels of the CISI collection in ir/cisi/",
    );
  }
  const cisi = readCollection(join(corpus, "ir", "cisi"));
  const mail = await readCorpusMail(join(corpus, "mail"));
  return [judged("cisi", cisi), citing(cisi), ...mailTasks(mail)];
}

/** One collection as a task, by the name of its folder. */
export function collectionTask(folder: string): Task {
  return judged(basename(folder), readCollection(folder));
}

function judged(name: string, { docs, queries }: Judged): Task {
  return {
    name,
    meaning: "judged questions of a test collection",
    emails: docs.map(documentMail),
    questions: queries.map(({ text, relevant }) => ({ userId: "user", text, relevant })),
  };
}

const documentMail = ({ id, title, text }: Judged["docs"][number], n: number) =>
  indexed(id, { subject: title, text, arrivedMs: n });

/**
 * A title must find the documents that are cited with it at least this often. The document itself is not in the
 * collection.
 */
const leastCitations = 4;

function citing({ docs }: Judged): Task {
  const asked = docs.filter((_, n) => n % 5 === 0);
  const present = new Set(docs.filter((_, n) => n % 5 !== 0).map(({ id }) => id));
  return {
    name: "titles",
    meaning: "the title of a CISI document finds what is cited with it",
    emails: docs.filter(({ id }) => present.has(id)).map(documentMail),
    questions: asked.map(({ title, citedWith }) => {
      const relevant = new Set(
        [...citedWith].filter(([id, times]) => times >= leastCitations && present.has(id))
          .map(([id]) => id),
      );
      return { userId: "user", text: title, relevant };
    }).filter(({ text, relevant }) => text !== "" && relevant.size > 0),
  };
}

function mailTasks(mail: CorpusMail[]): Task[] {
  const own = mail.map((each) => ({ ...each, email: { ...each.email, text: each.own } }));
  const cut = own.map((each) => ({
    ...each,
    email: { ...each.email, text: each.own.slice(0, cutBody) },
  }));
  const absent = withoutAskers(own);
  const emails = absent.flatMap(({ emails }) => emails);
  const asked = absent.flatMap(({ userId, asked }) => asked.map((each) => ({ ...each, userId })));
  return [
    {
      name: "threads",
      meaning: `the first ${long} characters of what an author wrote find what the others wrote`,
      ...withAskers(own, mail.length),
    },
    {
      name: "cut",
      meaning: `the same, bodies cut after ${cutBody} characters`,
      ...withAskers(cut, mail.length),
    },
    { name: "1,000", meaning: "the same as threads in 1,000 mails", ...withAskers(own, 1_000) },
    { name: "100", meaning: "the same in mailboxes of 100", ...withAskers(own, 100) },
    {
      name: "openings",
      meaning: `threads by the first ${opening} characters of a message that is not there`,
      emails,
      questions: asked.map(({ mail, ...each }) => ({ ...each, text: mail.own.slice(0, opening) })),
    },
    {
      name: "subjects",
      meaning: "a subject in other words finds the thread, whose mail has no subjects",
      emails: emails.map((email) => ({ ...email, subject: "" })),
      questions: asked.map(({ mail, ...each }) => ({
        ...each,
        text: inOtherWords(subjectOfThread(mail.email.subject)),
      })).filter(({ text }) => text.includes(" ")),
    },
  ];
}

/** Mailboxes of `size` consecutive messages; every message of a thread asks for the others. */
function withAskers(mail: CorpusMail[], size: number): Pick<Task, "emails" | "questions"> {
  const emails: IndexedEmail[] = [];
  const questions: Question[] = [];
  for (let from = 0; from + size <= mail.length; from += Math.min(size, 500)) {
    const userId = `user-${from}`;
    const box = mail.slice(from, from + size);
    const threads = Map.groupBy(box, ({ thread }) => thread);
    for (const { own, thread, email } of box) {
      emails.push({ ...email, userId });
      const relevant = new Set(threads.get(thread)!.map(({ email }) => email.emailId));
      relevant.delete(email.emailId);
      if (relevant.size === 0 || own.length < leastOwn) continue;
      questions.push({ userId, text: own.slice(0, long), relevant, asker: email.emailId });
    }
  }
  return { emails, questions };
}

/** An account with the mail of the collection, and the other mail of its threads, which are the questions. */
interface Mailbox {
  userId: string;
  emails: IndexedEmail[];
  asked: { mail: CorpusMail; relevant: Set<string> }[];
}

/**
 * Three accounts. Each lacks another third of the messages in threads; these messages ask for the rest of their
 * threads.
 */
function withoutAskers(mail: CorpusMail[]): Mailbox[] {
  return Array.from({ length: turns }, (_, turn) => mailbox(mail, `user-${turn}`, turn));
}

const turns = 3;

function mailbox(mail: CorpusMail[], userId: string, turn: number): Mailbox {
  const threads = Map.groupBy(mail, ({ thread }) => thread);
  const absent = new Set<CorpusMail>();
  for (const thread of threads.values()) {
    if (thread.length < 2) continue;
    thread.forEach((each, n) => {
      if (n % turns === turn && each.own.length >= leastOwn) absent.add(each);
    });
  }
  const asked = [...absent].map((mail) => ({
    mail,
    relevant: new Set(
      threads.get(mail.thread)!.filter((each) => !absent.has(each))
        .map(({ email }) => email.emailId),
    ),
  })).filter(({ relevant }) => relevant.size > 0);
  const emails = mail.filter((each) => !absent.has(each)).map(({ email }) => ({
    ...email,
    userId,
  }));
  return { userId, emails, asked };
}

/** Words of a subject in other inflections and another order. */
function inOtherWords(subject: string): string {
  const words = subject.match(/[a-z]{4,}/g) ?? [];
  return words.map((word) => /(?:ing|ed)$/.test(word) ? word : word.replace(/s?$/, "s"))
    .reverse().join(" ");
}
