import type { EmailRow } from "../record/email_row.ts";

export interface Person {
  address: string;
  name: string;
}

/** People of one conversation of whom the own ones are looked up and left out. */
const maxNamed = 100;
/** A mail can have 400 recipients, chosen by a stranger: so many of a conversation are looked at, of its newest messages. */
const maxRecipients = 2_000;

/** The people of a conversation, in the order in which they are met: at most 100. */
export class People {
  private readonly known = new Map<string, Person>();
  /** Recipients that were looked at. */
  looked = 0;

  get found(): Person[] {
    return [...this.known.values()];
  }

  add({ from, to, cc }: Pick<EmailRow, "from" | "to" | "cc">): void {
    this.meet(from);
    for (const recipients of [to, cc]) {
      for (const each of recipients) {
        if (this.looked === maxRecipients) return;
        this.looked++;
        this.meet(each);
      }
    }
  }

  private meet({ address, name }: Person): void {
    const id = address.toLowerCase();
    if (id === "") return;
    const before = this.known.get(id);
    if (before) before.name ||= name;
    else if (this.known.size < maxNamed) this.known.set(id, { address, name });
  }
}
