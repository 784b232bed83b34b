import type { IndexedEmail } from "../../domain/ports/search_index.ts";
import { newTextOf } from "../../mime/body/new_text.ts";
import { parseBody } from "../../mime/body/parse_body.ts";
import { replyPrefixes } from "../../mime/headers/subject.ts";
import { parseHead } from "../../mime/headers/parse_head.ts";
import { readMessages } from "../mail.ts";

/** A real message with the facts that the tasks need. */
export interface CorpusMail {
  email: IndexedEmail;
  /** The author's text, without quoted text. */
  own: string;
  /** The number of its thread. */
  thread: number;
}

/**
 * The messages of a folder in the order of their names. Messages that name the same ids, or have the subject of a
 * reply, are one thread.
 */
export async function readCorpusMail(folder: string): Promise<CorpusMail[]> {
  const threads = new Threads();
  const messages = (await readMessages(folder)).map((message) => ({
    ...message,
    head: parseHead(message.raw),
  }));
  const answered = new Set(
    messages.filter(({ head }) => replyPrefixes.test(withoutLists(head.subject)))
      .map(({ head }) => subjectOfThread(head.subject)).filter((text) =>
        text.length >= leastSubject
      ),
  );
  const read = messages.map(({ name, raw, head }, n) => {
    const { text } = parseBody(raw);
    const from = head.from ? `${head.from.name ?? ""} <${head.from.address}>` : "";
    const ids = [...head.references, ...head.inReplyTo];
    if (head.messageId) ids.push(head.messageId);
    const subject = subjectOfThread(head.subject);
    if (answered.has(subject)) ids.push(subject);
    return {
      email: indexed(name, {
        from,
        subject: head.subject,
        text,
        arrivedMs: n,
        dateMs: head.dateMs ?? 0,
      }),
      own: newTextOf(text).trim(),
      id: threads.join(ids.length > 0 ? ids : [name]),
    };
  });
  return read.map(({ id, ...mail }) => ({ ...mail, thread: threads.find(id) }));
}

/** Many threads share a shorter subject ("Re: hi"). */
const leastSubject = 8;

const withoutLists = (subject: string) => subject.replace(/^(?:\s*\[[^\]]*\])+\s*/, "");

/** A subject in lower case without the marks of replies and lists. */
export function subjectOfThread(subject: string): string {
  let text = subject;
  for (let before = ""; before !== text;) {
    before = text;
    text = withoutLists(text).replace(replyPrefixes, "").replace(/^\s*fwd?:/i, "");
  }
  return text.trim().toLowerCase();
}

/** An email of one account and mailbox with these fields. */
export function indexed(emailId: string, fields: Partial<IndexedEmail>): IndexedEmail {
  return {
    userId: "user",
    emailId,
    mailboxId: "mailbox",
    direction: "inbound",
    from: "collection@example.org",
    to: ["reader@agents.test"],
    subject: "",
    dateMs: 0,
    arrivedMs: 0,
    text: "",
    attachmentNames: [],
    ...fields,
  };
}

/** Disjoint sets of message ids. */
class Threads {
  private readonly numbers = new Map<string, number>();
  private readonly parents: number[] = [];

  /** Puts ids into one set and returns a member of it. */
  join(ids: string[]): number {
    const [first, ...others] = ids.map((id) => this.numberOf(id));
    for (const other of others) this.parents[this.find(other)] = this.find(first);
    return first;
  }

  find(number: number): number {
    while (this.parents[number] !== number) number = this.parents[number];
    return number;
  }

  private numberOf(id: string): number {
    let number = this.numbers.get(id);
    if (number === undefined) {
      this.numbers.set(id, number = this.parents.length);
      this.parents.push(number);
    }
    return number;
  }
}
