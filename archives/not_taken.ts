import type { NotTaken } from "./bring.ts";

/** So many things are named. */
const mostNamed = 20;

/** What was not taken, for people: a few by name, the others by their number. */
export class NotTakenNotes {
  #refused: string[] = [];
  #noMail: string[] = [];
  #more = { refused: 0, noMail: 0 };
  #unwanted = new Map<string, number>();

  add(found: NotTaken): void {
    if (found.kind === "refused") {
      if (this.#refused.length < mostNamed) this.#refused.push(`${found.name}: ${found.reason}`);
      else this.#more.refused++;
    } else if (found.reason === "no mail") {
      if (this.#noMail.length < mostNamed) this.#noMail.push(found.name);
      else this.#more.noMail++;
    } else this.#unwanted.set(found.reason, (this.#unwanted.get(found.reason) ?? 0) + 1);
  }

  /** What is left out, and then what is refused. */
  lines(): string[] {
    const { refused, noMail } = this.#more;
    const unwanted = [...this.#unwanted];
    return [
      ...this.#noMail.map((name) => `${name}: left out, it is no mail`),
      ...noMail > 0 ? [`and ${noMail} more that are no mail`] : [],
      ...unwanted.length > 0
        ? [
          `left out: ${unwanted.map(([reason, count]) => `${count} of ${reason}`).join(", ")}; ` +
          `--include ${unwanted.map(([reason]) => reason).join(",")} brings them`,
        ]
        : [],
      ...this.#refused,
      ...refused > 0 ? [`and ${refused} more that are refused`] : [],
    ];
  }
}
