import { groups, pages, referencePageOf } from "../../navigation.ts";
import { tags } from "../../../routes/http/families.ts";

const linkOf = (page: string) => `/${page.replace(/(^|\/)index$/, "$1")}`;

export default {
  title: "Letterbox",
  description: "Mailboxes for software agents, over REST and MCP",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "./dist/pages",
  outDir: "../dist",
  cacheDir: "./dist/cache",
  head: [["link", { rel: "icon", href: `${process.env.SITE_BASE ?? "/"}mark.svg` }]],
  // Addresses of examples.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  markdown: {
    // The anchors of the forge, which the documents use.
    anchor: {
      slugify: (heading: string) =>
        heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"),
    },
  },
  themeConfig: {
    logo: "/mark.svg",
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      { text: "Guide", link: "/guide" },
      { text: "Specification", link: "/specification" },
      { text: "Reference", link: "/reference/" },
    ],
    sidebar: [
      ...Object.entries(groups).map(([text, group]) => ({
        text,
        items: Object.entries(group).map(([text, document]) => ({
          text,
          link: linkOf(pages[document]),
        })),
      })),
      {
        text: "Reference",
        items: [
          { text: "Begin", link: "/reference/" },
          ...Object.keys(tags).map((tag) => ({ text: tag, link: linkOf(referencePageOf(tag)) })),
          { text: "Types", link: "/reference/types" },
          { text: "Errors", link: "/reference/errors" },
        ],
      },
    ],
  },
};
