import { type Unwanted, unwanted } from "../../archives/state/mail_state.ts";

/** The value of `--include`: names with commas between them. `refuse` throws the sentence for an unknown one. */
export function includedOf(
  given: string | undefined,
  refuse: (reason: string) => never,
): Set<Unwanted> {
  const names = (given ?? "").split(",").map((name) => name.trim()).filter(Boolean);
  for (const name of names) {
    if ((unwanted as readonly string[]).includes(name)) continue;
    refuse(`--include takes ${unwanted.join(", ")}; not ${name}`);
  }
  return new Set(unwanted.filter((each) => names.includes(each)));
}
