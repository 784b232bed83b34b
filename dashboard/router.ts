import { computed, signal } from "@preact/signals";

const url = signal(new URL(location.href));

/** `/app/mail/all` is `["mail", "all"]`. */
export const path = computed(() =>
  url.value.pathname.replace(/^\/app\/?/, "").split("/").filter(Boolean).map(decoded)
);
export const query = computed(() => url.value.searchParams);
/** The present address without its host. */
export const place = computed(() => url.value.pathname + url.value.search);

/**
 * The page of this service that needs a sign-in and waits for it: the one on which an app is allowed. Any other address
 * in `next` may be a stranger's, and leads nowhere.
 */
export const askedBy = computed(() => {
  const next = query.value.get("next");
  return next?.startsWith("/oauth/authorize?") ? next : null;
});

/** A part of an address that is not well-formed names nothing that is there. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function go(to: string, options: { replace?: boolean } = {}): void {
  if (!options.replace) history.replaceState({ top: pane()?.scrollTop }, "");
  history[options.replace ? "replaceState" : "pushState"](null, "", to);
  url.value = new URL(location.href);
}

const pane = () => document.querySelector(".page");

/** The page has its rows a little after "back". */
const longestMs = 3_000;

/** Scrolls a page to where it was left, as soon as it has so much in it. */
function scrollBack(top: number): void {
  const end = Date.now() + longestMs;
  const watch = new MutationObserver(() => {
    const page = pane();
    const isThere = page && page.scrollHeight - page.clientHeight >= top;
    if (isThere) page.scrollTop = top;
    if (isThere || Date.now() > end) watch.disconnect();
  });
  watch.observe(document.body, { childList: true, subtree: true });
}

/** The present address with other parameters; an empty one is left off. */
export function withQuery(changes: Record<string, string | undefined>): string {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  return `${url.value.pathname}${text ? `?${text}` : ""}`;
}

/** Links inside the dashboard change the page without loading it. */
export function startRouter(): void {
  addEventListener("popstate", ({ state }) => {
    if (state?.top > 0) scrollBack(state.top);
    url.value = new URL(location.href);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0 || isOutside(link)) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.href);
  });
}

function isOutside(link: HTMLAnchorElement): boolean {
  return link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin ||
    !link.pathname.startsWith("/app/") || (link.hash !== "" && link.pathname === location.pathname);
}
