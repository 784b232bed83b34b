import type { ElementKind } from "./element_names.ts";
import type { Declarations } from "../css/declarations.ts";
import type { SelectedElement } from "../css/selectors.ts";
import { type ShownState, stateInside } from "../css/shown_state.ts";

/** An element that is open. */
export interface OpenElement extends SelectedElement {
  kind: ElementKind;
  state: ShownState;
  declared: Declarations;
  /** True if it was displayed when it opened: then it has a place in the layout. */
  placed: boolean;
}

/** The elements from a table or a cell on, which limits the search for an end tag. */
interface Scope {
  name: string;
  isCell: boolean;
  /** Index of the first element in it. */
  from: number;
  counts: Map<string, number>;
}

/** The most elements that a search visits; without a limit deeply nested mail would take quadratic time. */
const maxSearched = 40;
/** The most formatting elements that are opened again after a block: hostile mail has thousands. */
const maxReopened = 8;

/**
 * The open elements of an HTML document, as in a browser (HTML, 13.2.4.2 and 13.2.6.4), but simplified for linear time:
 * an end tag closes what is open in its cell; formatting elements continue after the block around them is closed;
 * `</span>` does not close a block inside it.
 */
export class OpenElements {
  readonly elements: OpenElement[] = [];
  private readonly scopes: Scope[] = [{ name: "", isCell: false, from: 0, counts: new Map() }];
  private tables = 0;

  /** `base` is the state of the body; `closed` is called for each element that ends. */
  constructor(public base: ShownState, private readonly closed: (element: OpenElement) => void) {}

  get isInTable(): boolean {
    return this.tables > 0;
  }

  /** The state of text at this place; text of a table outside its cells is shown before the table. */
  get state(): ShownState {
    const innermost = this.elements.at(-1);
    if (!innermost) return this.base;
    return innermost.kind.isTable ? this.stateBeforeTable() : innermost.state;
  }

  /** The state around a new element of this kind at this place. */
  stateAround(kind: ElementKind): ShownState {
    return kind.isTablePart ? this.elements.at(-1)?.state ?? this.base : this.state;
  }

  open(element: OpenElement): void {
    const { name, kind } = element;
    this.elements.push(element);
    this.count(name, 1);
    if (kind.isScope) {
      if (name === "table") this.tables++;
      const { isCell } = kind;
      this.scopes.push({ name, isCell, from: this.elements.length, counts: new Map() });
    }
  }

  /** True if an element of this name is open in the innermost scope. */
  has(name: string): boolean {
    return (this.scope.counts.get(name) ?? 0) > 0;
  }

  /** An end tag. Returns false if no such element is open here; then the tag is ignored. */
  close(kind: ElementKind): boolean {
    const { name } = kind;
    if (kind.isScope) return this.closeScope(name);
    if (kind.isTable) this.leaveCell();
    if (!this.has(name)) return false;
    if (kind.isFormatting) this.closeFormatting(name);
    else if (!kind.isOrdinary || this.reaches(name)) this.popTo(name);
    return true;
  }

  /** Closes what the beginning of a new part of a table ends: the cell before it, a row, a body. */
  enterTablePart(name: string): void {
    this.leaveCell();
    while (
      this.elements.length > this.scope.from && !this.elements.at(-1)!.kind.isTable
    ) {
      this.end(this.pop()!);
    }
    const ended = name === "tr" ? ["tr"] : name === "td" || name === "th" ? [] : rowGroups;
    for (const each of ended) if (this.has(each)) this.popTo(each);
  }

  /** Closes the item (`names`) of the innermost list, if one is open. */
  closeItem(names: readonly string[]): void {
    for (let n = this.elements.length - 1, left = maxSearched; n >= 0 && left > 0; n--, left--) {
      const { name, kind } = this.elements[n];
      if (names.includes(name)) {
        if (this.has(name)) this.popTo(name);
        return;
      }
      if (kind.layout !== "inline" && name !== "div" && name !== "p" && name !== "address") return;
    }
  }

  /** Closes everything: the end of the document. */
  closeAll(): void {
    while (this.elements.length > 0) this.end(this.pop()!);
  }

  private get scope(): Scope {
    return this.scopes[this.scopes.length - 1];
  }

  private leaveCell(): void {
    while (this.tables > 0 && this.scope.isCell) this.popScope();
  }

  private closeScope(name: string): boolean {
    if (name === "table") this.leaveCell();
    if (this.scope.name !== name) return false;
    this.popScope();
    return true;
  }

  /** Closes the innermost scope and its element. */
  private popScope(): void {
    const { from } = this.scope;
    while (this.elements.length >= from) this.end(this.pop()!);
  }

  private popTo(name: string): void {
    if (this.endInnermost(name)) return;
    const reopened: OpenElement[] = [];
    for (let element = this.pop(); element; element = this.pop()) {
      if (element.kind.isFormatting && reopened.length < maxReopened) {
        reopened.unshift(element);
      } else this.end(element);
      if (element.name === name) break;
    }
    for (const element of reopened) this.reopen(element);
  }

  /** Ends a formatting element; the blocks inside it stay open without it. */
  private closeFormatting(name: string): void {
    if (this.endInnermost(name)) return;
    const inside: OpenElement[] = [];
    while (inside.length < maxSearched) {
      const element = this.pop();
      if (!element) break;
      if (element.name === name) {
        this.end(element);
        break;
      }
      inside.unshift(element);
    }
    for (const element of inside) this.reopen(element);
  }

  /** Ends the innermost element if it has this name, as in most mail. */
  private endInnermost(name: string): boolean {
    if (this.elements.at(-1)?.name !== name) return false;
    this.end(this.pop()!);
    return true;
  }

  private reopen(element: OpenElement): void {
    const around = this.stateAround(element.kind);
    const state = stateInside(around, element.declared, element.kind.layout);
    this.open({ ...element, parent: this.elements.at(-1) ?? element.parent, state });
  }

  private pop(): OpenElement | undefined {
    const element = this.elements.pop();
    if (!element) return undefined;
    if (this.scopes.length > 1 && this.scope.from > this.elements.length) this.scopes.pop();
    if (element.name === "table") this.tables--;
    this.count(element.name, -1);
    return element;
  }

  private end(element: OpenElement): void {
    this.closed(element);
  }

  private count(name: string, step: 1 | -1): void {
    const { counts } = this.scope;
    counts.set(name, (counts.get(name) ?? 0) + step);
  }

  /** True if no block is open inside the innermost element `name`. */
  private reaches(name: string): boolean {
    for (let n = this.elements.length - 1, left = maxSearched; n >= 0 && left > 0; n--, left--) {
      if (this.elements[n].name === name) return true;
      if (this.elements[n].kind.layout !== "inline") return false;
    }
    return true;
  }

  private stateBeforeTable(): ShownState {
    const { name, from } = this.scope;
    return name === "table"
      ? this.elements[from - 2]?.state ?? this.base
      : this.elements.at(-1)!.state;
  }
}

const rowGroups = ["tr", "tbody", "thead", "tfoot"];
