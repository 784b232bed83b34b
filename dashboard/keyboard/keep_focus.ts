// Gives the focus back when a dialog closes. If the row that had it is removed, the same control of the next row has it
// then, else that of the row before; without another row, the heading. The browser would drop it, and a screen reader
// would begin again at the top of the page. This module is loaded with the first form: each page whose rows can be
// removed has one.

const rows = "tr, li, .card";
const controls = "a[href], button, summary, input, select, textarea";

/** The control outside of dialogs that had the focus last, or what takes its place. */
let last: HTMLElement | null = null;

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("dialog")) last = target;
});
// A click on the page itself gives the focus up.
document.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && !target.closest(`dialog, label, ${controls}`)) last = null;
});

new MutationObserver((records) => {
  if (!last) return;
  const isGone = !last.isConnected;
  if (isGone) last = heirOf(last, records);
  const closed = records.some((each) =>
    [...each.removedNodes].some(({ nodeName }) => nodeName === "DIALOG")
  );
  if ((isGone || closed) && document.activeElement === document.body) last?.focus();
}).observe(document.body, { childList: true, subtree: true });

function heirOf(gone: Element, records: MutationRecord[]): HTMLElement | null {
  for (const { removedNodes, target, nextSibling, previousSibling } of records) {
    const removed = [...removedNodes].find((each) => each.contains(gone)) as Element | undefined;
    // Another page begins at its top, and the list of mail has its own way (see `mail_navigation.ts`).
    if (!removed || !gone.closest(rows) || (target as Element).matches("#main, .rows")) continue;
    const place = [...removed.querySelectorAll(controls)].indexOf(gone);
    const others = [nextSibling, previousSibling].filter((each): each is Element =>
      each instanceof Element && each.isConnected && each.matches(rows)
    ).flatMap((each) => {
      const all = [...each.querySelectorAll<HTMLElement>(controls)];
      return all[place] ?? all[0] ?? [];
    });
    return (removed.matches(rows) && others[0]) || heading();
  }
  return null;
}

function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>("h1");
  if (found) found.tabIndex = -1;
  return found;
}
