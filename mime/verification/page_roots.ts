import { elementKind, inHead } from "../html/element_names.ts";
import { type ElementStyle, noAttributes } from "../html/element_style.ts";
import type { OpenElement } from "../html/open_elements.ts";
import type { SelectedElement } from "../css/selectors.ts";
import { rootStateOf, shownAtFirst, type ShownState, stateInside } from "../css/shown_state.ts";

/** The `html` and `body` that a browser adds around a page without these tags, so that rules apply to them. */
export class PageRoots {
  private readonly html: SelectedElement;
  private readonly body: SelectedElement;
  private readonly first = shownAtFirst();
  private inHtml: ShownState;
  private inBody: ShownState;

  constructor(private readonly style: ElementStyle) {
    this.html = style.elementOf(elementKind("html"), noAttributes, null);
    this.body = style.elementOf(elementKind("body"), noAttributes, this.html);
    this.inHtml = this.inBody = this.first;
    this.rulesChanged(true);
  }

  rulesChanged(isQuirky: boolean): void {
    const inside = (around: ShownState, element: SelectedElement) => {
      const kind = elementKind(element.name);
      const declared = this.style.declarationsFor(kind, noAttributes, element, isQuirky);
      return stateInside(around, declared, "block");
    };
    this.inHtml = rootStateOf(inside(this.first, this.html));
    this.inBody = inside(this.inHtml, this.body);
  }

  /** The element around a new one inside `above`; null for `html`. */
  parentOf(
    name: string,
    above: SelectedElement | undefined,
    hasText: boolean,
  ): SelectedElement | null {
    if (name === "html") return null;
    if (name === "body" || name === "head") return above ?? this.html;
    if (!above && !hasText && inHead.has(name)) return this.html;
    return above && above.name !== "html" ? above : this.body;
  }

  /** The state around an element that {@link parentOf} gave a parent. */
  stateAround({ parent }: SelectedElement, above: OpenElement | undefined): ShownState {
    if (parent === null) return this.first;
    if (parent === this.html) return this.inHtml;
    return parent === this.body ? this.inBody : above!.state;
  }
}
