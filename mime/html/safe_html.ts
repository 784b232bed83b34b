import { Parser } from "htmlparser2";
// @ts-types="@types/sanitize-html"
import sanitize from "sanitize-html";
import type { AttachmentPart } from "../body/parse_body.ts";
import { type HtmlShowing, refusedHtml, type SafeHtml } from "./html_showing.ts";

/** Real mail has at most about 100 levels. 100,000 nested elements took the sanitiser 10 s. */
const maxDepth = 512;
const maxChars = 2 * 2 ** 20;

/** Replaces an image that is not loaded: one transparent pixel, so that the layout stays. */
const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

const layout = [
  ...["style", "class", "id", "align", "valign", "bgcolor", "width", "height", "dir", "lang"],
  ...["title", "color", "border", "cellpadding", "cellspacing", "role"],
  ...["aria-label", "aria-hidden"],
];

/**
 * An allow list. If it misses something, the HTML is still in a frame without scripts, whose policy loads only images.
 */
const allowed: sanitize.IOptions = {
  allowedTags: [
    ...sanitize.defaults.allowedTags,
    ...["img", "center", "font", "style", "del", "ins", "big", "tt"],
  ],
  // `style`: its text is cleaned below.
  allowVulnerableTags: true,
  nonTextTags: ["script", "style", "textarea", "option", "noscript", "title", "xmp", "noembed"],
  allowedAttributes: {
    "*": layout,
    a: ["href", "target", "rel"],
    img: ["src", "srcset", "alt", "data-blocked"],
    font: ["face", "size"],
    td: ["colspan", "rowspan"],
    th: ["colspan", "rowspan"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["data", "https", "http"] },
  allowProtocolRelative: false,
  // Not parsed, because a style of 5 MB takes 10 s; `withoutLoads` is enough.
  parseStyleAttributes: false,
};

/**
 * The HTML of a message for a separate document. Nothing in it runs. Links open outside and lead only to http, https,
 * mailto and tel; `cid:` images are attachments of the message. Of other hosts it loads only images, and only if
 * requested. HTML that is too deep or too long is refused.
 */
export function safeHtml(
  html: string,
  attachments: readonly Pick<AttachmentPart, "attachmentId" | "contentId">[],
  { remoteImages, attachmentBase }: HtmlShowing,
): SafeHtml {
  if (html.length > maxChars) return refusedHtml("The HTML of this message is too long to show.");
  if (isTooDeep(html)) return refusedHtml("The HTML of this message is nested too deeply to show.");
  const byContentId = new Map(attachments.map((each) => [each.contentId, each.attachmentId]));
  let blockedImages = 0;
  const clean = sanitize(html, {
    ...allowed,
    transformTags: {
      // Without its ground the light text of a dark mail could not be read.
      body: (_, { bgcolor, text, style, ...attribs }) => {
        const colours = [bgcolor && `background-color: ${bgcolor}`, text && `color: ${text}`];
        const all = [...colours, style].filter(Boolean).join("; ");
        return { tagName: "div", attribs: all === "" ? attribs : { ...attribs, style: all } };
      },
      a: (tagName, { href, ...attribs }) => ({
        tagName,
        attribs: {
          ...attribs,
          ...(isLink(href) ? { href } : {}),
          target: "_blank",
          rel: "noopener noreferrer nofollow",
        },
      }),
      img: (tagName, { src = "", srcset, ...attribs }) => {
        delete attribs["data-blocked"];
        const place = src.trim();
        if (/^data:image\/(?:png|jpeg|gif|webp)[;,]/i.test(place)) {
          return { tagName, attribs: { ...attribs, src: place } };
        }
        if (/^cid:/i.test(place)) {
          const attachmentId = byContentId.get(contentIdOf(place));
          const own = attachmentId ? attachmentBase + encodeURIComponent(attachmentId) : pixel;
          return { tagName, attribs: { ...attribs, src: own } };
        }
        const isRemote = /^https?:/i.test(place);
        if (remoteImages && isRemote) {
          return { tagName, attribs: { ...attribs, src: place, ...(srcset ? { srcset } : {}) } };
        }
        if (isRemote || place.startsWith("//") || srcset) blockedImages++;
        return { tagName, attribs: { ...attribs, src: pixel, "data-blocked": "" } };
      },
      "*": (tagName, attribs) =>
        attribs.style === undefined
          ? { tagName, attribs }
          : { tagName, attribs: { ...attribs, style: withoutLoads(attribs.style) } },
    },
  });
  return { html: withSafeStyles(clean), blockedImages, problem: null };
}

function isLink(href: string | undefined): boolean {
  return href !== undefined && /^\s*(?:https?:|mailto:|tel:)/i.test(href);
}

function contentIdOf(place: string): string {
  const id = place.slice("cid:".length);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Cleans the text of the `style` elements of HTML that the sanitiser wrote: text and attributes have no `<` in it. */
function withSafeStyles(html: string): string {
  return html.split(/(?=<style[\s>])/i).map((piece) => {
    if (!/^<style[\s>]/i.test(piece)) return piece;
    const start = piece.indexOf(">") + 1;
    const end = piece.toLowerCase().indexOf("</style", start);
    const css = piece.slice(start, end < 0 ? undefined : end);
    return piece.slice(0, start) + withoutLoads(css) + (end < 0 ? "" : piece.slice(end));
  }).join("");
}

/**
 * CSS that loads nothing: each function that takes a URL becomes one that no browser knows, and so does `@import`. A
 * backslash could spell these names in another way (`\75rl(`), so none stays.
 */
export function withoutLoads(css: string): string {
  return css.replaceAll("\\", "")
    .replace(/@import/gi, "@blocked")
    .replace(/(?:url|src|image|image-set|cross-fade|element|paint)\s*\(/gi, "blocked(");
}

/** Whether elements are nested deeper than in real mail. Stops at the limit. */
function isTooDeep(html: string): boolean {
  let depth = 0, deepest = 0;
  const parser = new Parser({
    onopentag: () => deepest = Math.max(deepest, ++depth),
    onclosetag: () => depth--,
  });
  const pieceChars = 16_384;
  for (let at = 0; at < html.length && deepest <= maxDepth; at += pieceChars) {
    parser.write(html.slice(at, at + pieceChars));
  }
  return deepest > maxDepth;
}
