import { type CssRule, rulesOf } from "./css_rules.ts";
import { isDark, unknownColour } from "./css_values.ts";
import { type Declarations, type Declared, noDeclarations } from "./declarations.ts";
import { mediaApplies } from "./media_query.ts";
import { type Match, Matcher, spent, type Unknown } from "./selector_matcher.ts";
import { keyOf, type SelectedElement, type Selector, type SelectorList } from "./selectors.ts";
import { shownAtFirst, stateInside } from "./shown_state.ts";

interface Rule {
  selector: Selector;
  declarations: Declarations;
  /** The name of a condition around it that is not known; null if all hold. */
  condition: string | null;
  /** Of its layer, which counts more if it came later; rules outside of layers count most. */
  rank: number;
  order: number;
}

/** The most rules, and the most rules with one key: no mail program writes more. */
const maxRules = 5_000;
const maxRulesOfKey = 200;
/** The most conditions that are tried on elements; a newsletter takes 20,000. Later elements get no rules. */
const maxComparisons = 2_000_000;
const maxCached = 5_000;
const maxLayers = 500;
/** So many conditions that are not known are tried in all combinations; of more, each alone, none and all. */
const maxCombined = 3;
const maxAlone = 6;

/** The rules in the `style` elements of a mail that decide whether text is visible. */
export class StyleSheet {
  private readonly rules = new Map<string, Rule[]>();
  private readonly layers = new Map<string, number>();
  private readonly cached = new Map<string, Declarations>();
  private readonly merged = new Map<string, Declarations>();
  private readonly work = { left: maxComparisons };
  private readonly matcher = new Matcher(this.work);
  private count = 0;
  /** What its selectors need to know of elements. */
  readonly needs: Needs = { attributes: new Set(), places: false, seen: new WeakSet() };

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Without a document type, ids and classes have no case. */
  set isQuirky(isQuirky: boolean) {
    if (this.matcher.isQuirky !== isQuirky) this.cached.clear();
    this.matcher.isQuirky = isQuirky;
  }

  /**
   * Adds the text of a `style` element, in one pass. Returns whether it has a rule that can hide black text on white.
   */
  add(css: string, media = ""): boolean {
    if (!mediaApplies(media)) return false;
    const before = this.count;
    let isTelling = false;
    for (const rule of rulesOf(css, (name) => this.rankOf(name))) {
      if (this.count < maxRules) isTelling = this.addRule(rule) || isTelling;
    }
    if (this.count > before) this.cached.clear();
    return isTelling;
  }

  /** The declarations of the rules for an element. */
  declarationsFor(element: SelectedElement): Declarations {
    if (this.count === 0) return noDeclarations;
    const key = element.attributes !== null || this.needs.places
      ? null
      : element.id === "" && element.classes.length === 0
      ? element.name
      : `${element.name} ${element.id} ${element.classes.join(" ")}`;
    const known = key === null ? undefined : this.cached.get(key);
    if (known) return known;
    let lasting = key !== null;
    const keys = ["*", element.name];
    for (const one of element.classes.slice(0, 50)) keys.push(`.${one.toLowerCase()}`);
    if (element.id !== "") keys.push(`#${element.id.toLowerCase()}`);
    const matching: Rule[] = [];
    const doubtful = new Set<Rule>();
    this.matcher.unknowns = [];
    try {
      for (const each of new Set(keys)) {
        for (const rule of this.rules.get(each) ?? []) {
          if (this.isRelative(rule)) lasting = false;
          const match = this.matchOf(rule, element);
          if (match === 0) continue;
          matching.push(rule);
          if (match < 1) doubtful.add(rule);
        }
      }
      matching.sort(byPrecedence);
      const merged = doubtful.size === 0
        ? this.mergedOnce(matching)
        : this.inAllCases(matching, doubtful, element);
      if (lasting && this.cached.size < maxCached) this.cached.set(key!, merged);
      return merged;
    } catch (error) {
      if (error !== spent) throw error;
      return noDeclarations;
    }
  }

  private matchOf(rule: Rule, element: SelectedElement): Match {
    const match = this.matcher.matches(rule.selector, element);
    if (match === 0 || rule.condition === null) return match;
    return Math.min(match, this.matcher.ofUnknown(rule.condition, null)) as Match;
  }

  private inAllCases(
    matching: readonly Rule[],
    doubtful: ReadonlySet<Rule>,
    element: SelectedElement,
  ): Declarations {
    const { matcher } = this;
    const cases = new Map<string, Declarations>();
    try {
      for (const assumed of casesOf(matcher.unknowns)) {
        matcher.assumed = assumed;
        const rules = matching.filter((rule) =>
          !doubtful.has(rule) || this.matchOf(rule, element) > 0
        );
        cases.set(keyOfRules(rules), this.mergedOnce(rules));
      }
    } finally {
      matcher.assumed = null;
    }
    const key = [...cases.keys()].join("|");
    return this.once(key, () => branched([...cases.values()]));
  }

  private mergedOnce(rules: readonly Rule[]): Declarations {
    if (rules.length === 0) return noDeclarations;
    return this.once(keyOfRules(rules), () => mergedRules(rules));
  }

  /** The same rules give the same object, which is then judged only once. */
  private once(key: string, make: () => Declarations): Declarations {
    const known = this.merged.get(key);
    if (known) return known;
    const made = make();
    if (this.merged.size < maxCached) this.merged.set(key, made);
    return made;
  }

  /** Whether a rule looks at more than the name, the id and the classes of an element. */
  private isRelative({ selector: { compounds } }: Rule): boolean {
    return compounds.length > 1 ||
      compounds.some(({ terms }) =>
        terms.some(({ kind }) => kind !== "id" && kind !== "class" && kind !== "name")
      );
  }

  private rankOf(layer: string): number {
    if (layer === "") return Infinity;
    const known = this.layers.get(layer);
    if (known !== undefined) return known;
    const rank = this.layers.size;
    if (rank < maxLayers) this.layers.set(layer, rank);
    return rank;
  }

  private addRule({ selectors, declarations, applies, layer }: CssRule): boolean {
    addNeeds(selectors, this.needs);
    let isAdded = false;
    const condition = applies === 1 ? null : `@${this.count}`;
    for (const selector of selectors) {
      const key = keyOf(selector);
      const rules = this.rules.get(key) ?? [];
      if (rules.length >= maxRulesOfKey || this.count >= maxRules) continue;
      const rank = this.rankOf(layer);
      rules.push({ selector, declarations, condition, rank, order: this.count++ });
      this.rules.set(key, rules);
      isAdded = true;
    }
    return isAdded && tells(declarations);
  }
}

/** By their layers, specificity and order. */
function byPrecedence(one: Rule, other: Rule): number {
  return (one.rank === other.rank ? 0 : one.rank - other.rank) ||
    one.selector.specificity - other.selector.specificity || one.order - other.order;
}

/** Which of the conditions that are not known hold: each case. */
function* casesOf(unknowns: readonly Unknown[]): Generator<ReadonlySet<Unknown>> {
  if (unknowns.length <= maxCombined) {
    for (let bits = 0; bits < 2 ** unknowns.length; bits++) {
      yield new Set(unknowns.filter((_, n) => bits >> n & 1));
    }
    return;
  }
  yield new Set();
  yield new Set(unknowns);
  for (const each of unknowns.slice(0, maxAlone)) yield new Set([each]);
}

const unset: [string, Declared] = ["text-indent", { value: "unset", important: false }];

/** The declarations of several cases. */
function branched([first, ...others]: readonly Declarations[]): Declarations {
  if (others.length === 0) return first;
  const declared: Declarations = new Map(first.size === 0 ? [unset] : first);
  declared.branches = others;
  return declared;
}

/** The declarations of rules by precedence; those that are important in the order of layers from behind. */
function mergedRules(rules: readonly Rule[]): Declarations {
  if (rules.length === 0) return noDeclarations;
  if (rules.length === 1) return rules[0].declarations;
  const merged = new Map<string, Declared>();
  for (const { declarations } of rules) {
    for (const [property, declared] of declarations) {
      if (!declared.important) merged.set(property, declared);
    }
  }
  const ranks = new Map<string, number>();
  for (const { declarations, rank } of rules) {
    for (const [property, declared] of declarations) {
      // Of layers, the first one with an important declaration counts.
      if (!declared.important || rank > (ranks.get(property) ?? Infinity)) continue;
      ranks.set(property, rank);
      merged.set(property, declared);
    }
  }
  return merged;
}

const keyOfRules = (rules: readonly Rule[]) => rules.map(({ order }) => order).join();

/** True if declarations hide text, or can do so with others. */
function tells(declarations: Declarations): boolean {
  for (const [property, { late }] of declarations) {
    if (late !== undefined || property.startsWith("--")) return true;
  }
  const first = shownAtFirst();
  const { hidesText, colour, fill, ground, rest } = stateInside(first, declarations, "block");
  return hidesText || fill !== null || (colour !== unknownColour && !isDark(colour)) ||
    ground < 0 || isDark(ground) || rest.size < 12 || rest.opacity < 1 || rest.scale < 1 ||
    rest.spacing < 0 || rest.x < 0 || rest.y < 0 || rest.painted || rest.line < 2 || rest.cut;
}

/** What a sheet needs to know of the elements for its selectors. */
interface Needs {
  attributes: Set<string>;
  /** Places among siblings. */
  places: boolean;
  /** Lists that are looked through: nested rules share them. */
  seen: WeakSet<SelectorList>;
}

/** Adds what these selectors need. */
function addNeeds(list: SelectorList, needs: Needs): void {
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
