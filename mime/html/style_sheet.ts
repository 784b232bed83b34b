import {
  type Declarations,
  declarationsOf,
  type Declared,
  endOfString,
  mergeDeclarations,
  noDeclarations,
  plainCss,
} from "./declarations.ts";
import { isDark, isNothing, unknownColour } from "./css_values.ts";
import { mediaApplies } from "./media_query.ts";
import { shownAtFirst, stateInside } from "./shown_state.ts";
import { isSelected, type SelectedElement, type Selector, selectorOf } from "./selectors.ts";

interface Rule {
  selector: Selector;
  declarations: Declarations;
  order: number;
}

/** The most rules, and the most rules with one key: no mail program writes more. */
const maxRules = 5_000;
const maxRulesOfKey = 100;
/** The most comparisons of an element with a rule; a newsletter takes 20,000. Later elements get no rules. */
const maxComparisons = 2_000_000;
const maxCached = 5_000;

/** The rules in the `style` elements of a mail that decide whether text is visible. */
export class StyleSheet {
  private readonly rules = new Map<string, Rule[]>();
  private readonly cached = new Map<string, Declarations>();
  private count = 0;
  private hasTelling = false;
  private comparisons = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /**
   * Adds the text of a `style` element, in one pass. Returns whether it has a rule that can hide black text on white.
   */
  add(css: string, media = ""): boolean {
    if (!mediaApplies(media)) return false;
    const before = this.count;
    this.hasTelling = false;
    const text = plainCss(css);
    /** Braces around the rule whose media does not apply. */
    let skipped = 0;
    let at = 0;
    while (at < text.length) {
      const stop = nextStop(text, at);
      const prelude = text.slice(at, stop).replace(/<!--|-->/g, "").trim();
      at = stop + 1;
      if (text[stop] === "}") skipped = Math.max(0, skipped - 1);
      else if (text[stop] === "{") {
        const groups = /^@(?:media|supports|layer|container|document|-moz-document)\b/i.exec(
          prelude,
        );
        if (groups && skipped === 0) {
          if (!groups[0].endsWith("media") || mediaApplies(prelude.slice(6))) continue;
        }
        if (groups || skipped > 0) {
          skipped++;
          continue;
        }
        const end = endOfBlock(text, at);
        if (!prelude.startsWith("@")) this.addRules(prelude, text.slice(at, end));
        at = end + 1;
      }
    }
    if (this.count > before) this.cached.clear();
    return this.hasTelling;
  }

  /** The declarations of the rules for an element inside `around`, the outermost first. */
  declarationsFor(element: SelectedElement, around: readonly SelectedElement[]): Declarations {
    if (this.count === 0) return noDeclarations;
    const isBare = element.id === "" && element.classes.length === 0;
    const key = isBare
      ? element.name
      : `${element.name} ${element.id} ${element.classes.join(" ")}`;
    const known = this.cached.get(key);
    if (known) return known;
    let lasting = true;
    const matching: Rule[] = [];
    const keys = [...element.classes.slice(0, 50).map((one) => `.${one}`)];
    if (element.id !== "") keys.push(`#${element.id}`);
    for (const each of ["*", element.name, ...keys]) {
      for (const rule of this.rules.get(each) ?? []) {
        if (++this.comparisons > maxComparisons) return noDeclarations;
        if (!isSelected(rule.selector.subject, element)) continue;
        if (rule.selector.around.length > 0) lasting = false;
        if (this.isAround(rule.selector, around)) matching.push(rule);
      }
    }
    matching.sort((one, other) =>
      one.selector.specificity - other.selector.specificity || one.order - other.order
    );
    const merged = matching.reduce<Declarations>(
      (sum, rule) => mergeDeclarations(sum, rule.declarations),
      noDeclarations,
    );
    if (lasting && this.cached.size < maxCached) this.cached.set(key, merged);
    return merged;
  }

  private isAround({ around: wanted }: Selector, around: readonly SelectedElement[]): boolean {
    let next = 0;
    for (let n = around.length - 1; n >= 0 && next < wanted.length; n--) {
      if (++this.comparisons > maxComparisons) return false;
      if (isSelected(wanted[next], around[n])) next++;
    }
    return next === wanted.length;
  }

  private addRules(prelude: string, block: string): void {
    const declarations = declarationsOf(block);
    if (declarations.size === 0) return;
    for (const text of prelude.split(",", 200)) {
      const selector = selectorOf(text);
      if (!selector || this.count >= maxRules) continue;
      const said = selector.certain ? declarations : doubtful(declarations);
      const { id, classes, name } = selector.subject;
      const key = id !== "" ? `#${id}` : classes.length > 0 ? `.${classes[0]}` : name || "*";
      const rules = this.rules.get(key) ?? [];
      if (rules.length >= maxRulesOfKey) continue;
      this.hasTelling ||= tells(said);
      rules.push({ selector, declarations: said, order: this.count++ });
      this.rules.set(key, rules);
    }
  }
}

/** True if declarations hide text, or set a colour of letters or ground that can hide text of another one. */
function tells(declarations: Declarations): boolean {
  const { gone, invisible, tiny, colour, ground } = stateInside(
    shownAtFirst,
    declarations,
    "block",
  );
  return gone || invisible || tiny || (colour !== unknownColour && !isDark(colour)) ||
    ground < 0 || isDark(ground);
}

/** The declarations of a rule that may or may not match: it hides nothing, and its colours are unknown. */
function doubtful(declarations: Declarations): Declarations {
  const kept = new Map<string, Declared>();
  for (const [property, declared] of declarations) {
    const { value } = declared;
    if (/color|background/.test(property)) kept.set(property, { ...declared, value: "unknown" });
    else if (property === "display" && value !== "none") kept.set(property, declared);
    else if (property === "visibility" && value === "visible") kept.set(property, declared);
    else if (property === "font-size" && !isNothing(value)) kept.set(property, declared);
  }
  return kept;
}

/** Index of the next brace or semicolon outside strings, or the length. */
function nextStop(text: string, at: number): number {
  for (let n = at; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code === 0x7b || code === 0x7d || code === 0x3b) return n;
    if (code === 0x22 || code === 0x27) {
      const end = endOfString(text, n);
      if (end < 0) return text.length;
      n = end;
    }
  }
  return text.length;
}

/** Index of the brace that ends a block, with blocks inside, or the length. */
function endOfBlock(text: string, at: number): number {
  let depth = 1;
  for (let n = at; n < text.length; n = n + 1) {
    n = nextStop(text, n);
    if (text[n] === "{") depth++;
    else if (text[n] === "}" && --depth === 0) return n;
  }
  return text.length;
}
