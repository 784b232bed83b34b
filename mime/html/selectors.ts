/** The facts of an element that selectors use. */
export interface SelectedElement {
  /** Lower case. */
  name: string;
  id: string;
  classes: readonly string[];
}

/** What a selector requires of one element; "" and an empty list mean any. */
export interface Compound {
  name: string;
  id: string;
  classes: readonly string[];
}

export interface Selector {
  /** For the element itself. */
  subject: Compound;
  /** For elements around it, the nearest first. */
  around: readonly Compound[];
  /** False if the selector has a condition that is not read here: the element may match. */
  certain: boolean;
  specificity: number;
}

/** Pseudo-classes that match only while the reader does something, and pseudo-elements, which are not text of the mail. */
const passing =
  /::|:(?:before|after|hover|focus|active|visited|checked|target|first-l|placeholder|selection|-)/;

const maxSelectorChars = 300;

/** Reads one selector (without commas); null if it selects no element before the reader does something. */
export function selectorOf(text: string): Selector | null {
  const plain = text.slice(0, maxSelectorChars).replace(/:link\b/g, "").trim();
  if (plain === "" || text.length > maxSelectorChars || passing.test(plain)) return null;
  let certain = !/[+~[:(]/.test(plain);
  const bare = plain.replace(/\[[^\]]*\]?|:[\w-]+(?:\([^)]*\)?)?/g, "");
  // A child (`>`) is read as a descendant.
  const compounds = bare.split(/[\s>+~]+/).filter((one) => one !== "").map(compoundOf);
  const subject = compounds.pop();
  if (!subject) return null;
  if (compounds.length > 8) certain = false;
  const specificity = [subject, ...compounds].reduce(
    (sum, one) =>
      sum + (one.id === "" ? 0 : 10_000) + 100 * one.classes.length + (one.name === "" ? 0 : 1),
    0,
  );
  return { subject, around: compounds.reverse().slice(0, 8), certain, specificity };
}

function compoundOf(text: string): Compound {
  const compound = { name: "", id: "", classes: [] as string[] };
  for (const [, mark, name] of text.matchAll(/([.#]?)([^.#]+)/g)) {
    if (mark === ".") compound.classes.push(name);
    else if (mark === "#") compound.id = name;
    else if (name !== "*") compound.name = name.toLowerCase();
  }
  return compound;
}

export function isSelected(compound: Compound, element: SelectedElement): boolean {
  return (compound.name === "" || compound.name === element.name) &&
    (compound.id === "" || compound.id === element.id) &&
    compound.classes.every((one) => element.classes.includes(one));
}
