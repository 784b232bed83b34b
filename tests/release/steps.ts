/** Thrown by a step that this machine cannot try; the message says what is missing. */
export class NotTried extends Error {}

interface Ended {
  name: string;
  outcome: "passed" | "FAILED" | "not tried";
  /** Of a step that passed what was seen; of another one the reason. */
  note: string;
}

/** The steps of a check, in order. A step that fails does not stop the next ones. */
export class Steps {
  private readonly ended: Ended[] = [];

  /** Runs a step. Returns its value, undefined if it did not pass. A text is shown in the table too. */
  async step<T>(name: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const value = await work();
      this.end({ name, outcome: "passed", note: typeof value === "string" ? value : "" });
      return value;
    } catch (error) {
      const outcome = error instanceof NotTried ? "not tried" : "FAILED";
      const text = error instanceof Error ? error.message : String(error);
      if (outcome === "FAILED") console.log(text.slice(-4_000));
      this.end({ name, outcome, note: text.trim().split("\n")[0] });
    }
  }

  private end(step: Ended): void {
    this.ended.push(step);
    console.log(`${step.outcome.padEnd(9)} ${step.name}`);
  }

  /** Prints the table of all steps. Returns whether the check holds; with `strict` only if every step was tried. */
  report(strict: boolean): boolean {
    const width = Math.max(...this.ended.map(({ name }) => name.length));
    console.log("");
    for (const { name, outcome, note } of this.ended) {
      console.log(`| ${name.padEnd(width)} | ${outcome.padEnd(9)} | ${note.slice(0, 100)}`);
    }
    const count = (outcome: Ended["outcome"]) =>
      this.ended.filter((each) => each.outcome === outcome).length;
    const failed = count("FAILED"), untried = count("not tried");
    console.log(`\n${count("passed")} passed, ${failed} failed, ${untried} could not be tried`);
    return failed === 0 && (!strict || untried === 0);
  }
}
