import { signal } from "@preact/signals";

type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");
export const theme = signal<Theme>(system.matches ? "dark" : "light");

/** The system's theme until one is chosen here. */
export function startTheme(): void {
  const chosen = read();
  if (chosen) theme.value = chosen;
  system.addEventListener("change", () => {
    if (!read()) show(system.matches ? "dark" : "light");
  });
  show(theme.value);
}

export function turnTheme(): void {
  show(theme.value === "dark" ? "light" : "dark");
  try {
    localStorage.setItem("theme", theme.value);
  } catch { /* Storage is off: the choice lasts as long as the page. */ }
}

function show(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset.theme = next;
}

function read(): Theme | null {
  try {
    const chosen = localStorage.getItem("theme");
    return chosen === "light" || chosen === "dark" ? chosen : null;
  } catch {
    return null;
  }
}
