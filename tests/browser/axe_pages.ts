import axe from "axe-core";
import type { Page } from "playwright-core";
import { isNight } from "../nightly.ts";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A theme, and a width in px. */
export interface Look {
  theme: "light" | "dark";
  width: number;
}

/**
 * How a page is looked at: at night in both themes in every width, by day on the widest screen in light and the narrowest
 * phone in dark. axe needs half a second of processor for a page.
 */
export function looks(widths: readonly number[]): Look[] {
  const all = (["light", "dark"] as const).flatMap((theme) =>
    widths.map((width) => ({ theme, width }))
  );
  if (isNight) return all;
  return [{ theme: "light", width: Math.max(...widths) }, {
    theme: "dark",
    width: Math.min(...widths),
  }];
}

/**
 * The findings of axe in a page, each a line with the rule and the element; only of `rules` if they are given. Frames
 * of mail are left out: nothing runs in them.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy stays as it is.
  if (!await page.evaluate("typeof globalThis.axe === 'object'")) await page.evaluate(axe.source);
  const options = {
    runOnly: rules ?? tags,
    iframes: false,
    resultTypes: ["violations"],
  };
  const found = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        id + " at " + target.join(" ") + ": " + failureSummary)))`,
  );
  return found as string[];
}

/** Elements that are wider than their box and do not scroll by themselves; the document first. */
export async function overflows(page: Page): Promise<string[]> {
  const panes = "main, .page, .list-pane, .list-head, .thread-pane, .thread, .side, dialog, " +
    ".dialog-inner, .card, .card-head, .message, .message-body, .search-form, .filters, .row";
  const found = await page.evaluate(`(() => {
    const wide = [document.documentElement, ...document.querySelectorAll(${
    JSON.stringify(panes)
  })].filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1);
    return wide.map((each) => each.tagName + "." + each.className + " " + each.scrollWidth +
      " in " + each.clientWidth);
  })()`);
  return found as string[];
}

/** From now on each document of the page records its layout shifts without a key or a click before them. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`{
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        const nodes = sources.map(({ node }) => node?.className || node?.nodeName);
        globalThis.shifts.push({ value, nodes });
      }
    }).observe({ type: "layout-shift", buffered: true });
  }`);
}

/** The sum of the layout shifts of the document (above 0.1 a reader loses the line), and what moved. */
export async function shifted(page: Page): Promise<{ sum: number; nodes: string[] }> {
  const shifts = await page.evaluate("globalThis.shifts") as { value: number; nodes: string[] }[];
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    nodes: shifts.flatMap(({ value, nodes }) => value > 0.005 ? nodes : []),
  };
}
