import { computed, signal } from "@preact/signals";

const url = signal(new URL(location.href));

/** `/app/mail/all` is `["mail", "all"]`. */
export const path = computed(() =>
  url.value.pathname.replace(/^\/app\/?/, "").split("/").filter(Boolean).map(decoded)
);
export const query = computed(() => url.value.searchParams);

/** A part of an address that is not well-formed names nothing that is there. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function go(to: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", to);
  url.value = new URL(location.href);
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
  addEventListener("popstate", () => url.value = new URL(location.href));
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
