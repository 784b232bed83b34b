import type { SelectorList } from "./selectors.ts";

/** What a sheet needs to know of the elements for its selectors. */
export interface Needs {
  attributes: Set<string>;
  /** Places among siblings. */
  places: boolean;
  /** Lists that are looked through: nested rules share them. */
  seen: WeakSet<SelectorList>;
}

/** Adds what these selectors need. */
export function addNeeds(list: SelectorList, needs: Needs): void {
  if (needs.seen.has(list)) return;
  needs.seen.add(list);
  for (const { compounds } of list) {
    for (const { terms, relation } of compounds) {
      if (relation === "+" || relation === "~") needs.places = true;
      for (const term of terms) {
        if (term.kind === "attribute") needs.attributes.add(term.name);
        else if (term.kind === "link") needs.attributes.add("href");
        else if (term.kind === "nth") needs.places = true;
        else if (term.kind === "is" || term.kind === "not") addNeeds(term.list, needs);
      }
    }
  }
}
