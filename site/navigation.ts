/** The pages by group, in the order of the navigation: title, and the document that the page is made of. */
export const groups: Record<string, Record<string, string>> = {
  "Begin": {
    "Letterbox": "README.md",
    "Guide": "routes/reference/guide.md",
    "Agents": "docs/agents.md",
    "TypeScript": "sdk/typescript/README.md",
    "Python": "sdk/python/README.md",
    "Frameworks": "examples/frameworks/README.md",
    "What the clients do": "sdk/behaviours.md",
  },
  "Use": {
    "Receiving": "docs/mail-in.md",
    "Sending": "docs/sending.md",
    "Search": "docs/search.md",
    "Webhooks": "docs/webhooks.md",
    "Moving": "docs/moving.md",
  },
  "Run": {
    "Deploy": "docs/deploy.md",
    "Operations": "docs/operations.md",
    "Upgrade": "docs/upgrade.md",
    "Settings": "docs/settings.md",
    "Commands": "docs/commands.md",
  },
  "Look up": {
    "Specification": "docs/specification.md",
    "Security": "docs/security.md",
    "Performance": "docs/performance.md",
    "Decisions": "docs/decisions.md",
    "The store": "docs/storage.md",
    "The full-text index": "fulltext/README.md",
    "The encoders": "models/SOURCES.md",
    "Research: performance": "docs/research/performance.md",
    "Research: reading": "docs/research/reading.md",
    "Research: search": "docs/research/search.md",
  },
  "Project": {
    "Changelog": "CHANGELOG.md",
    "Contributing": "CONTRIBUTING.md",
    "Release": "docs/release.md",
    "Support": "SUPPORT.md",
    "Report a fault": "SECURITY.md",
    "Code of conduct": "CODE_OF_CONDUCT.md",
  },
};

/** The page of each document, without its ending: `docs/mail-in.md` is `mail-in`. */
export const pages: Record<string, string> = Object.fromEntries(
  Object.values(groups).flatMap((group) =>
    Object.entries(group).map(([title, document]) => [document, pageOf(title, document)])
  ),
);

function pageOf(title: string, document: string): string {
  if (document === "README.md") return "index";
  if (document.startsWith("docs/")) return document.slice("docs/".length, -".md".length);
  return title.toLowerCase().replaceAll(" ", "-");
}

/** The page of a group of the reference: `reference/api-keys`. */
export const referencePageOf = (tag: string) =>
  `reference/${tag.toLowerCase().replaceAll(/\W+/g, "-")}`;
