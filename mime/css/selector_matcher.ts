import {
  type Compound,
  maxSiblings,
  type SelectedElement,
  type Selector,
  type SelectorList,
  type Term,
} from "./selectors.ts";

/** Whether an element matches: 1 yes, 0 no, 0.5 not known. */
export type Match = 0 | 0.5 | 1;

/** What a match costs; throws when all is spent. */
export interface MatchWork {
  left: number;
}
export const spent = new Error("comparisons are spent");

/** A condition on an element that is not read: it holds or not. */
export interface Unknown {
  name: string;
  element: SelectedElement | null;
}

/** The most of them that are noted for one element. */
const maxUnknowns = 20;

/** Tries selectors on elements of one document. */
export class Matcher {
  /** What was asked and is not known, since this was emptied. */
  unknowns: Unknown[] = [];
  /** Those of `unknowns` that are assumed to hold; the others do not. null: nothing is assumed. */
  assumed: ReadonlySet<Unknown> | null = null;
  /** Without a document type, ids and classes have no case. */
  isQuirky = false;

  constructor(private readonly work: MatchWork) {}

  /** Throws {@link spent}. */
  matches(selector: Selector, element: SelectedElement): Match {
    return this.from(selector.compounds, 0, element);
  }

  private from(compounds: readonly Compound[], n: number, element: SelectedElement): Match {
    if (n >= compounds.length) return 1;
    const { terms, relation } = compounds[n];
    let match: Match = 1;
    for (const term of terms) {
      match = least(match, this.ofTerm(term, element));
      if (match === 0) return 0;
    }
    if (n + 1 >= compounds.length) return match;
    return least(match, this.related(compounds, n + 1, relation, element));
  }

  private related(
    compounds: readonly Compound[],
    n: number,
    relation: string,
    element: SelectedElement,
  ): Match {
    if (relation === "+" || relation === "~") {
      if (element.index === 0) return 0.5;
      const { last } = element.parent!.children!;
      const place = last.indexOf(element);
      if (relation === "+") {
        if (element.index === 1) return 0;
        return place < 1 ? 0.5 : this.from(compounds, n, last[place - 1]);
      }
      let best: Match = place + 1 < element.index && place < maxSiblings - 1 ? 0.5 : 0;
      if (element.index > last.length) best = 0.5;
      for (let k = place - 1; k >= 0 && best < 1; k--) {
        best = most(best, this.from(compounds, n, last[k]));
      }
      return best;
    }
    let best: Match = 0;
    for (let { parent } = element; parent !== null && best < 1; parent = parent.parent) {
      best = most(best, this.from(compounds, n, parent));
      if (relation === ">") break;
    }
    return best;
  }

  private ofTerm(term: Term, element: SelectedElement): Match {
    if (--this.work.left < 0) throw spent;
    switch (term.kind) {
      case "name":
        return element.name === term.name ? 1 : 0;
      case "id":
        return this.isSame(element.id, term.name) ? 1 : 0;
      case "class":
        return element.classes.some((one) => this.isSame(one, term.name)) ? 1 : 0;
      case "attribute":
        return hasAttribute(term, element.attributes?.get(term.name)) ? 1 : 0;
      case "is":
        return this.ofList(term.list, element);
      case "not":
        return 1 - this.ofList(term.list, element) as Match;
      case "nth":
        return isNth(term, term.ofName ? element.indexOfName : element.index);
      case "root":
        return element.parent === null ? 1 : 0;
      case "link":
        return element.name === "a" && element.attributes?.has("href") ? 1 : 0;
      case "never":
        return 0;
      case "unknown":
        return this.ofUnknown(term.name, element);
    }
  }

  /** Notes what is not known; 1 or 0 if something is assumed. */
  ofUnknown(name: string, element: SelectedElement | null): Match {
    let known = this.unknowns.find((each) => each.name === name && each.element === element);
    if (!known && this.assumed === null && this.unknowns.length < maxUnknowns) {
      this.unknowns.push(known = { name, element });
    }
    return this.assumed === null ? 0.5 : known && this.assumed.has(known) ? 1 : 0;
  }

  private ofList(list: SelectorList, element: SelectedElement): Match {
    let best: Match = 0;
    for (const selector of list) {
      best = most(best, this.matches(selector, element));
      if (best === 1) break;
    }
    return best;
  }

  private isSame(one: string, other: string): boolean {
    return one === other || (this.isQuirky && one.toLowerCase() === other.toLowerCase());
  }
}

const least = (one: Match, other: Match): Match => one < other ? one : other;
const most = (one: Match, other: Match): Match => one > other ? one : other;

function isNth({ step, offset }: { step: number; offset: number }, index: number): Match {
  if (index === 0) return 0.5;
  const steps = (index - offset) / step;
  return step === 0 ? (index === offset ? 1 : 0) : steps >= 0 && Number.isInteger(steps) ? 1 : 0;
}

/** Characters of an attribute that are compared. */
const maxCompared = 1000;

function hasAttribute(
  { sign, value: wanted, anyCase }: { sign: string; value: string; anyCase: boolean },
  has: string | undefined,
): boolean {
  if (has === undefined) return false;
  if (sign === "") return true;
  const cut = has.slice(0, maxCompared);
  const [found, value] = anyCase ? [cut.toLowerCase(), wanted.toLowerCase()] : [cut, wanted];
  switch (sign) {
    case "=":
      return found === value && has.length === cut.length;
    case "~=":
      return value !== "" && !/\s/.test(value) && found.split(/\s+/).includes(value);
    case "|=":
      return found === value || found.startsWith(`${value}-`);
    case "^=":
      return value !== "" && found.startsWith(value);
    case "$=":
      return value !== "" && found.endsWith(value);
    default:
      return value !== "" && found.includes(value);
  }
}
