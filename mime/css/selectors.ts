import { closingBracket, splitOutside } from "./media_query.ts";

/** An element, and what selectors use of it. */
export interface SelectedElement {
  /** Lower case. */
  name: string;
  id: string;
  classes: readonly string[];
  /** Those that a rule asks for; null if there is none. */
  attributes: ReadonlyMap<string, string> | null;
  /** null for `html`. */
  parent: SelectedElement | null;
  /** Its place among the elements in its parent, from 1; 0 if it was not counted. */
  index: number;
  /** Its place among those of its name. */
  indexOfName: number;
  children: Children | null;
}

/** The elements in an element so far. */
export interface Children {
  count: number;
  /** The last ones, at most {@link maxSiblings}. */
  last: SelectedElement[];
  ofName: Map<string, number>;
}

/** The earlier siblings that `~` looks at. */
export const maxSiblings = 30;

/** A place in the tree at which a selector is tried; `parent` without children is not counted. */
export function placed(
  facts: Pick<SelectedElement, "name" | "id" | "classes" | "attributes">,
  parent: SelectedElement | null,
  isCounted: boolean,
): SelectedElement {
  const element = {
    ...facts,
    parent,
    index: 0,
    indexOfName: 0,
    children: null,
  };
  if (!parent || !isCounted) return element;
  const children: Children = parent.children ??= { count: 0, last: [], ofName: new Map() };
  element.index = ++children.count;
  element.indexOfName = (children.ofName.get(facts.name) ?? 0) + 1;
  children.ofName.set(facts.name, element.indexOfName);
  children.last.push(element);
  if (children.last.length > maxSiblings) children.last.shift();
  return element;
}

/** A condition on one element. */
export type Term =
  | { kind: "id" | "class" | "name"; name: string }
  | { kind: "attribute"; name: string; sign: string; value: string; anyCase: boolean }
  | { kind: "not" | "is"; list: SelectorList }
  | { kind: "nth"; step: number; offset: number; ofName: boolean }
  | { kind: "root" | "link" | "never" }
  /** A condition that is not read, as it is written. */
  | { kind: "unknown"; name: string };

/** What a selector requires: of the element itself, of one that stands to it in a relation, and so on outwards. */
export interface Selector {
  /** The last compound first. */
  compounds: Compound[];
  specificity: number;
}
export interface Compound {
  terms: Term[];
  /** How the compound before it in the text is related to it: ` `, `>`, `+` or `~`. */
  relation: string;
}
export type SelectorList = readonly Selector[];

const maxSelectors = 200;
const maxSelectorChars = 1000;
const maxDepth = 8;

/**
 * Reads the selectors of a rule (Selectors 4); null if one is invalid: then the rule is ignored. Inside another rule
 * (`around`), `&` stands for its selectors, and a selector without it for what is inside them.
 */
export function selectorsOf(text: string, around: SelectorList | null): SelectorList | null {
  const selectors: Selector[] = [];
  for (const part of splitOutside(text, /,/y).slice(0, maxSelectors)) {
    const selector = new SelectorReader(part.trim(), around, 0).read();
    if (!selector) return null;
    selectors.push(selector);
  }
  return selectors;
}

/** Those of `:is()` and `:where()`: invalid ones are left out. */
function forgivingList(text: string, around: SelectorList | null, depth: number): SelectorList {
  return splitOutside(text, /,/y).slice(0, maxSelectors).flatMap((part) =>
    new SelectorReader(part.trim(), around, depth).read() ?? []
  );
}

/** Pseudo-classes that match only while the reader does something. */
const passing = new Set(
  ("hover active focus focus-within focus-visible visited target target-within current past future " +
    "fullscreen modal picture-in-picture popover-open autofill user-valid user-invalid playing " +
    "paused buffering stalled muted volume-locked seeking active-view-transition local-link " +
    "-webkit-autofill -webkit-full-screen -webkit-drag -moz-focusring").split(" "),
);
/** Those that are valid and not looked at. */
const notRead = new Set(
  ("last-child only-child last-of-type only-of-type empty checked disabled enabled required optional " +
    "valid invalid in-range out-of-range read-only read-write placeholder-shown default indeterminate " +
    "host open closed blank has lang dir state nth-last-child nth-last-of-type host-context").split(
      " ",
    ),
);
const oldPseudoElements = new Set("before after first-line first-letter".split(" "));
const knownElements =
  /^::(?:before|after|first-line|first-letter|marker|selection|placeholder|backdrop|cue|part|slotted|target-text|highlight|spelling-error|grammar-error|file-selector-button|details-content|view-transition|-webkit-)/;

class SelectorReader {
  private at = 0;
  private specificity = 0;
  private hasNesting = false;

  constructor(
    private readonly text: string,
    private readonly around: SelectorList | null,
    private readonly depth: number,
  ) {}

  /** null if it is invalid. */
  read(): Selector | null {
    if (this.text === "" || this.text.length > maxSelectorChars || this.depth > maxDepth) {
      return null;
    }
    const compounds: Compound[] = [];
    let relation = this.takeRelation();
    if (relation.trim() !== "" && !(this.around && this.depth === 0)) return null;
    const isRelative = relation.trim() !== "";
    if (isRelative) compounds.push({ terms: [this.nesting()], relation: "" });
    while (this.at < this.text.length) {
      const terms = this.compound();
      if (terms === null || terms.length === 0) return null;
      compounds.push({ terms, relation });
      relation = this.takeRelation();
      if (relation === "") break;
    }
    if (this.at < this.text.length || relation.trim() !== "" || compounds.length === 0) return null;
    if (this.around && this.depth === 0 && !isRelative && !this.hasNesting) {
      compounds[0].relation = " ";
      compounds.unshift({ terms: [this.nesting()], relation: "" });
    }
    return { compounds: compounds.reverse(), specificity: this.specificity };
  }

  /** The combinator here: "" if there is none, a blank for a descendant. */
  private takeRelation(): string {
    const found = /^\s*([>+~]?)\s*/.exec(this.text.slice(this.at, this.at + 100))!;
    this.at += found[0].length;
    if (this.at >= this.text.length && found[1] === "") return "";
    return found[1] || (/\s/.test(found[0]) ? " " : "");
  }

  private nesting(): Term {
    this.hasNesting = true;
    this.specificity += Math.max(0, ...this.around!.map((each) => each.specificity));
    return { kind: "is", list: this.around! };
  }

  private compound(): Term[] | null {
    const terms: Term[] = [];
    const start = this.at;
    while (this.at < this.text.length) {
      const sign = this.text[this.at];
      if (/[\s>+~]/.test(sign)) break;
      const term = this.term(sign, this.at === start);
      if (term === null) return null;
      if (term !== "any") terms.push(term);
    }
    // `*` alone is a compound without a condition.
    return terms.length === 0 && this.at > start ? [{ kind: "is", list: [everything] }] : terms;
  }

  private term(sign: string, isFirst: boolean): Term | "any" | null {
    if (sign === "&") {
      this.at++;
      return this.around ? this.nesting() : { kind: "root" };
    }
    if (sign === "*" && isFirst) {
      this.at++;
      return "any";
    }
    if (sign === "|") {
      this.at++;
      return "any";
    }
    if (sign === "." || sign === "#") {
      this.at++;
      const name = this.ident();
      this.specificity += sign === "." ? 1_000 : 1_000_000;
      return name === null ? null : { kind: sign === "." ? "class" : "id", name };
    }
    if (sign === "[") return this.attribute();
    if (sign === ":") return this.pseudo();
    const name = isFirst ? this.ident() : null;
    if (name === null) return null;
    this.specificity += 1;
    return { kind: "name", name: name.toLowerCase() };
  }

  private ident(): string | null {
    ident.lastIndex = this.at;
    const found = ident.exec(this.text);
    if (!found) return null;
    this.at = ident.lastIndex;
    return found[0].replace(/\\([^])/g, "$1");
  }

  private attribute(): Term | null {
    attribute.lastIndex = this.at;
    const found = attribute.exec(this.text);
    if (!found) return null;
    this.at = attribute.lastIndex;
    this.specificity += 1_000;
    const [, name, sign = "", double, single, bare = "", flag] = found;
    return {
      kind: "attribute",
      name: name.toLowerCase(),
      sign,
      value: (double ?? single ?? bare).replace(/\\([^])/g, "$1"),
      anyCase: flag?.toLowerCase() === "i" || caseless.has(name.toLowerCase()),
    };
  }

  private pseudo(): Term | null {
    pseudo.lastIndex = this.at;
    const found = pseudo.exec(this.text);
    if (!found) return null;
    this.at = pseudo.lastIndex;
    const [, colons, written, bracket] = found;
    const name = written.toLowerCase();
    const argument = bracket === undefined ? null : this.argument();
    if (colons === "::" || oldPseudoElements.has(name)) {
      return knownElements.test(`::${name}`) ? { kind: "never" } : null;
    }
    return argument === null ? this.simplePseudo(name) : this.functionalPseudo(name, argument);
  }

  private simplePseudo(name: string): Term | null {
    this.specificity += 1_000;
    if (name === "root" || name === "scope") return { kind: "root" };
    if (/^(?:link|any-link|-webkit-any-link)$/.test(name)) return { kind: "link" };
    if (name === "first-child" || name === "first-of-type") {
      return { kind: "nth", step: 0, offset: 1, ofName: name === "first-of-type" };
    }
    if (name === "defined") return { kind: "is", list: [everything] };
    if (passing.has(name)) return { kind: "never" };
    return notRead.has(name) ? { kind: "unknown", name } : null;
  }

  private functionalPseudo(name: string, argument: string): Term | null {
    if (/^(?:is|where|not|matches|-webkit-any)$/.test(name)) {
      const list = forgivingList(argument, this.around, this.depth + 1);
      if (name === "not" && list.length < splitOutside(argument, /,/y).length) return null;
      if (this.around && argument.includes("&")) this.hasNesting = true;
      if (name !== "where") {
        this.specificity += Math.max(0, ...list.map((each) => each.specificity));
      }
      return { kind: name === "not" ? "not" : "is", list };
    }
    this.specificity += 1_000;
    if (name === "nth-child" || name === "nth-of-type") {
      if (/\bof\b/.test(argument)) return { kind: "unknown", name: `${name}(${argument})` };
      const nth = nthOf(argument);
      return nth && { kind: "nth", ...nth, ofName: name === "nth-of-type" };
    }
    return notRead.has(name) ? { kind: "unknown", name: `${name}(${argument})` } : null;
  }

  /** What stands in the brackets that were opened. */
  private argument(): string {
    const from = this.at;
    const end = closingBracket(this.text, from);
    this.at = Math.min(end + 1, this.text.length);
    return this.text.slice(from, end).trim();
  }
}

const everything: Selector = { compounds: [], specificity: 0 };
const ident = /-?(?:[_a-zA-Z\u0080-\uffff]|-|\\[^])(?:[\w-]|[\u0080-\uffff]|\\[^])*/y;
const attribute =
  /\[\s*(?:[\w-]*\|)?([\w:-]{1,60})\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]"']+))\s*([is])?\s*)?\]/iy;
const pseudo = /(::?)([a-zA-Z-]{1,40})(\()?/y;
/** Attributes of HTML whose values have no case. */
const caseless = new Set(
  "align bgcolor color dir face lang link media method nowrap rel shape size text type valign"
    .split(" "),
);

function nthOf(text: string): { step: number; offset: number } | null {
  const plain = text.toLowerCase().replace(/\s+/g, "");
  if (plain === "odd") return { step: 2, offset: 1 };
  if (plain === "even") return { step: 2, offset: 0 };
  const found = /^([+-]?\d{0,6})n([+-]\d{1,6})?$|^([+-]?\d{1,6})$/.exec(plain);
  if (!found) return null;
  if (found[3] !== undefined) return { step: 0, offset: Number(found[3]) };
  const step = /\d/.test(found[1]) ? Number(found[1]) : found[1] === "-" ? -1 : 1;
  return { step, offset: Number(found[2] ?? 0) };
}

/** What every element that may match has: an id, a class or a name as a key of rules; `*` if nothing is sure. */
export function keyOf({ compounds }: Selector): string {
  const terms = compounds[0]?.terms ?? [];
  const named = (kind: Term["kind"]) => {
    const term = terms.find((each) => each.kind === kind);
    return term && "name" in term ? term.name : undefined;
  };
  const [id, one, name] = [named("id"), named("class"), named("name")];
  if (id !== undefined) return `#${id.toLowerCase()}`;
  return one !== undefined ? `.${one.toLowerCase()}` : name ?? "*";
}
