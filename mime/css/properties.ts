import { paintOf, unknownColour } from "./css_values.ts";
import { numberIn, pixelsIn } from "./css_length.ts";
import { splitOutside } from "./media_query.ts";

/** Whether a value of a property is valid; an invalid declaration is ignored (CSS Cascade 5, section 4.1). */
type IsValid = (value: string) => boolean;

const words = (names: string): IsValid => {
  const known = new Set(names.split(" "));
  return (value) => known.has(value);
};

const sizeWords = words(
  "auto none min-content max-content fit-content stretch content intrinsic min-intrinsic " +
    "-webkit-fill-available -webkit-min-content -webkit-max-content -webkit-fit-content",
);
/** A length that may be negative. */
const shift: IsValid = (value) => value === "auto" || pixelsIn(value) !== null;
const length: IsValid = (value) => value === "normal" || pixelsIn(value) !== null;
/** Written as a number, it may not be negative; a calculation is never too small. */
const size: IsValid = (value) =>
  sizeWords(value) || /^(?:fit-content|calc-size)\(/.test(value) ||
  (!value.startsWith("-") && pixelsIn(value) !== null);
const share: IsValid = (value) => numberIn(value) !== null;
const fontSize: IsValid = (value) => fontWords(value) || (!sizeWords(value) && size(value));
const fontWords = words(
  "xx-small x-small small medium large x-large xx-large xxx-large smaller larger math " +
    "-webkit-xxx-large",
);
const lineHeight: IsValid = (value) =>
  value === "normal" || !value.startsWith("-") &&
    (numberIn(value) !== null || pixelsIn(value) !== null);

const colourFunctions =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|contrast-color|alpha)\(/;
const systemColours = words(
  "accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext " +
    "field fieldtext graytext highlight highlighttext linktext mark marktext selecteditem " +
    "selecteditemtext visitedtext activeborder activecaption appworkspace background buttonhighlight " +
    "buttonshadow captiontext inactiveborder inactivecaption inactivecaptiontext infobackground " +
    "infotext menu menutext scrollbar threeddarkshadow threedface threedhighlight threedlightshadow " +
    "threedshadow window windowframe windowtext -webkit-link -webkit-text -webkit-activelink " +
    "-webkit-focus-ring-color unknown",
);
const colour: IsValid = (value) =>
  value === "currentcolor" || systemColours(value) || colourFunctions.test(value) ||
  paintOf(value).colour !== unknownColour ||
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(value);

const picture =
  /^(?:none|(?:url|src|image|image-set|-webkit-image-set|cross-fade|-webkit-cross-fade|element|paint)\(|(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(|-webkit-gradient\()/;
const pictures: IsValid = (value) =>
  splitOutside(value, /,/y).every((layer) => picture.test(layer.trim()));

const functions = (names: string): IsValid => {
  const known = new Set(names.split(" "));
  return (value) =>
    value === "none" ||
    splitOutside(value, /\s+/y).every((part) => {
      const name = /^([a-z][a-z0-9-]{0,30})\([^]*\)$/.exec(part)?.[1];
      return name !== undefined && known.has(name);
    });
};
const transform = functions(
  "matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley " +
    "scalez scale3d rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective",
);
const filter = functions(
  "blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia url src",
);
const shape: IsValid = (value) =>
  /^(?:none|border-box|padding-box|content-box|margin-box|fill-box|stroke-box|view-box)$|^(?:url|src|inset|xywh|rect|circle|ellipse|polygon|path|shape)\([^]*\)/
    .test(value);
const several = (most: number, each: IsValid): IsValid => (value) => {
  const parts = splitOutside(value, /\s+/y);
  return value === "none" || parts.length <= most && parts.every(each);
};

const display: IsValid = (value) =>
  displayWords(value) ||
  /^(?:(?:block|inline|flow|flow-root|table|flex|grid|ruby|math|list-item)(?: |$)){2,3}$/
    .test(value);
const displayWords = words(
  "none block inline inline-block flow-root contents flex inline-flex grid inline-grid table " +
    "inline-table table-row-group table-header-group table-footer-group table-row table-cell " +
    "table-column-group table-column table-caption list-item math ruby ruby-text flow -webkit-box " +
    "-webkit-inline-box -webkit-flex -webkit-inline-flex grid-lanes inline-grid-lanes",
);

/** The same for each of several properties. */
const all = (names: string, isValid: IsValid): Record<string, IsValid> =>
  Object.fromEntries(names.split(" ").map((name) => [name, isValid]));

/** The properties that decide whether a person sees text. Others are not kept. */
const longhands: Record<string, IsValid> = {
  display,
  visibility: words("visible hidden collapse"),
  "content-visibility": words("visible hidden auto"),
  opacity: share,
  filter,
  "font-size": fontSize,
  "line-height": lineHeight,
  ...all("letter-spacing word-spacing", length),
  ...all("color -webkit-text-fill-color background-color", colour),
  "-webkit-text-stroke-width": (value) => length(value) || /^(?:thin|medium|thick)$/.test(value),
  ...all("background-image mask-image", pictures),
  "background-clip": (value) => /^[a-z, -]+$/.test(value),
  ...all("width height max-width max-height min-width min-height", size),
  ...all("padding-top padding-right padding-bottom padding-left", size),
  ...all("overflow-x overflow-y", words("visible hidden clip scroll auto overlay")),
  position: words("static relative absolute fixed sticky -webkit-sticky"),
  float: words("none left right inline-start inline-end"),
  ...all("left right top bottom margin-left margin-right margin-top margin-bottom", shift),
  "text-indent": (value) =>
    splitOutside(value, /\s+/y).every((part) =>
      part === "hanging" || part === "each-line" || pixelsIn(part) !== null
    ),
  transform,
  rotate: several(4, () => true),
  scale: several(3, share),
  translate: several(3, shift),
  zoom: (value) =>
    value === "normal" || value === "reset" || !value.startsWith("-") && share(value),
  clip: (value) => value === "auto" || /^rect\([^]*\)$/.test(value),
  "clip-path": shape,
  ...all("old-filter text-shadow mask-size", () => true),
};

/** Other names, and those of left-to-right text. */
const aliases: Record<string, string> = {
  ...Object.fromEntries(
    "filter transform opacity clip-path mask-image mask-size background-clip mask".split(" ")
      .map((name) => [`-webkit-${name}`, name]),
  ),
  ...{ "inline-size": "width", "max-inline-size": "max-width", "min-inline-size": "min-width" },
  ...{ "block-size": "height", "max-block-size": "max-height", "min-block-size": "min-height" },
  ...{ "inset-inline-start": "left", "inset-inline-end": "right" },
  ...{ "inset-block-start": "top", "inset-block-end": "bottom" },
  ...{ "margin-inline-start": "margin-left", "margin-inline-end": "margin-right" },
  ...{ "margin-block-start": "margin-top", "margin-block-end": "margin-bottom" },
  ...{ "overflow-inline": "overflow-x", "overflow-block": "overflow-y" },
  "-webkit-margin-start": "margin-left",
};

type Longhands = [property: string, value: string][];

/** A property that stands for several; its values for them are null if its own is invalid. */
interface Shorthand {
  names: readonly string[];
  values: (value: string) => readonly string[] | null;
}

const shorthand = (names: string, values: Shorthand["values"]): Shorthand => ({
  names: names.split(" "),
  values,
});
/** Four sides, top, right, bottom and left, or two ends. */
const parts = (names: string): Shorthand =>
  shorthand(names, (value) => {
    const parts = splitOutside(value, /\s+/y);
    const count = names.split(" ").length;
    if (parts.length > count) return null;
    const [top, right = top, bottom = top, left = right] = parts;
    return [top, right, bottom, left].slice(0, count);
  });

const shorthands: Record<string, Shorthand> = {
  font: shorthand("font-size line-height", fontOf),
  background: shorthand("background-color background-image background-clip", backgroundOf),
  mask: shorthand("mask-image mask-size", maskOf),
  margin: parts("margin-top margin-right margin-bottom margin-left"),
  padding: parts("padding-top padding-right padding-bottom padding-left"),
  inset: parts("top right bottom left"),
  overflow: parts("overflow-x overflow-y"),
  "margin-inline": parts("margin-left margin-right"),
  "margin-block": parts("margin-top margin-bottom"),
  "inset-inline": parts("left right"),
  "inset-block": parts("top bottom"),
  "-webkit-text-stroke": shorthand("-webkit-text-stroke-width", (value) => [
    splitOutside(value, /\s+/y).find(longhands["-webkit-text-stroke-width"]) ?? "0",
  ]),
  // Its other values are those of all properties, which are read without it.
  all: { names: Object.keys(longhands), values: () => null },
};

function fontOf(value: string): string[] | null {
  if (/^(?:caption|icon|menu|message-box|small-caption|status-bar)$/.test(value)) {
    return ["medium", "normal"];
  }
  const parts = splitOutside(value.replace(/ ?\/ ?/, "/"), /\s+/y);
  for (const [n, part] of parts.entries()) {
    const [size, line = "normal"] = part.split("/", 2);
    const isWeight = /^\d{1,4}$/.test(size) && part === size && size !== "0";
    if (isWeight || !fontSize(size)) {
      if (n >= 5) return null;
      continue;
    }
    // A family follows.
    return n + 1 < parts.length && lineHeight(line) ? [size, line] : null;
  }
  return null;
}

const places = words(
  "none repeat no-repeat repeat-x repeat-y round space scroll fixed local top bottom left right " +
    "center border-box padding-box content-box text cover contain auto /",
);

/** A layer for each comma; the colour is in the last one. */
function backgroundOf(value: string): string[] | null {
  const images: string[] = [];
  let ground = "transparent";
  let clip = "border-box";
  for (const layer of splitOutside(value, /,/y)) {
    let image = "none";
    for (const part of splitOutside(layer.trim().replace(/\//g, " / "), /\s+/y)) {
      if (part === "text") clip = "text";
      if (places(part)) continue;
      if (picture.test(part)) image = part;
      else if (colour(part)) ground = part;
      else if (pixelsIn(part) === null) return null;
    }
    images.push(image);
  }
  return [ground, images.join(", "), clip];
}

function maskOf(value: string): string[] {
  let size = "auto";
  const images = splitOutside(value, /,/y).map((layer) => {
    const parts = splitOutside(layer.trim().replace(/ ?\/ ?/, " / "), /\s+/y);
    const slash = parts.indexOf("/");
    if (slash >= 0) size = parts.slice(slash + 1, slash + 3).join(" ");
    return parts.find((part) => picture.test(part)) ?? "none";
  });
  return [images.join(", "), size];
}

const wide = new Set(["initial", "inherit", "unset", "revert", "revert-layer"]);
/** A value with one of these is read when the element is known: until then it is valid. */
const late = /\b(?:var|env|attr|if)\(/;

/** Whether `value`, in lower case, has parts that only an element gives it. */
export function isLate(value: string): boolean {
  return value.includes("(") && late.test(value);
}

/** Whether declarations of this property are kept; `property` in lower case. */
export function isKept(property: string): boolean {
  const name = aliases[property] ?? property;
  return Object.hasOwn(longhands, name) || Object.hasOwn(shorthands, name);
}

/**
 * The longhands of a declaration, all in lower case; none if it is invalid. A value that only an element completes stands
 * for each of its longhands as it is, with the name of the property.
 */
export function longhandsOf(property: string, value: string): Longhands {
  const name = aliases[property] ?? property;
  const names = longhandNames(name);
  if (wide.has(value)) return names.map((each) => [each, value]);
  if (name === "filter" && /alpha\(|progid/.test(value)) return [["old-filter", value]];
  const values = Object.hasOwn(shorthands, name) ? shorthands[name].values(value) : [value];
  const found = values?.map((part, n): [string, string] => [names[n], part]) ?? [];
  return found.every(([each, part]) => longhands[each](part)) ? found : [];
}

/** The longhands that a property stands for. */
export function longhandNames(property: string): readonly string[] {
  const name = aliases[property] ?? property;
  return Object.hasOwn(shorthands, name) ? shorthands[name].names : [name];
}
