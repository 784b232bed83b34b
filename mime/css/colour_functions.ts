/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Channels = [red: number, green: number, blue: number, opacity: number];

/**
 * A colour that is written as a function, in lower case: `hsl()`, `hwb()`, `lab()`, `lch()`, `oklab()`, `oklch()`,
 * `color()`, and the ways of `rgb()` that color-string does not read. Null if it is none of them, or is made from
 * another colour. The formulas are those of CSS Color 4. A channel that a screen cannot show is its nearest value.
 */
export function colourFunction(text: string): Channels | null {
  const [name, ...parts] = text.split(/[\s,/()]+/).filter((part) => part !== "" && part !== "calc");
  const convert = name === "color" ? spaces.get(parts.shift() ?? "") : models.get(name);
  if (!convert || !text.endsWith(")") || parts.length < 3 || parts.length > 4) return null;
  const [first, second, third, fourth] = parts;
  const opacity = fourth === undefined ? 1 : numberOf(fourth, 1);
  const channels = [...convert(first, second, third), opacity];
  if (channels.some(Number.isNaN)) return null;
  const [red, green, blue, alpha] = channels.map(clamped);
  return [Math.round(255 * red), Math.round(255 * green), Math.round(255 * blue), alpha];
}

/** Three channels from 0 to 1, or beyond. */
type Triple = [number, number, number];
type Convert = (first: string, second: string, third: string) => Triple;

const rgb: Convert = (r, g, b) =>
  [numberOf(r, 255), numberOf(g, 255), numberOf(b, 255)]
    .map((channel) => channel / 255) as Triple;
const hsl: Convert = (h, s, l) =>
  fromHsl(hueOf(h), clamped(numberOf(s, 100) / 100), clamped(numberOf(l, 100) / 100));

const models = new Map<string, Convert>([
  ["rgb", rgb],
  ["rgba", rgb],
  ["hsl", hsl],
  ["hsla", hsl],
  ["hwb", (h, w, b) => fromHwb(hueOf(h), numberOf(w, 100) / 100, numberOf(b, 100) / 100)],
  ["lab", (l, a, b) => fromLab(numberOf(l, 100), numberOf(a, 125), numberOf(b, 125))],
  ["lch", (l, c, h) => fromLab(numberOf(l, 100), ...fromPolar(numberOf(c, 150), hueOf(h)))],
  ["oklab", (l, a, b) => fromOklab(numberOf(l, 1), numberOf(a, 0.4), numberOf(b, 0.4))],
  ["oklch", (l, c, h) => fromOklab(numberOf(l, 1), ...fromPolar(numberOf(c, 0.4), hueOf(h)))],
]);

const plain: Convert = (r, g, b) => [numberOf(r, 1), numberOf(g, 1), numberOf(b, 1)];
/** Of a space with other primaries only white and black are read: they are the same everywhere. */
const extremes: Convert = (...parts) => {
  const [r, g, b] = plain(...parts);
  const isExtreme = Math.min(r, g, b) >= 1 || Math.max(r, g, b) <= 0;
  return isExtreme ? [r, g, b] : [NaN, NaN, NaN];
};

const spaces = new Map<string, Convert>([
  ["srgb", plain],
  ["srgb-linear", (...parts) => plain(...parts).map(withGamma) as Triple],
  ...["display-p3", "a98-rgb", "prophoto-rgb", "rec2020"].map((name): [string, Convert] => [
    name,
    extremes,
  ]),
]);

/** A number, or a percentage of `whole`; NaN if it is neither. */
function numberOf(part: string, whole: number): number {
  if (part === "none") return 0;
  return part.endsWith("%") ? Number(part.slice(0, -1)) * whole / 100 : Number(part);
}

const degrees: [unit: string, each: number][] = [
  ["deg", 1],
  ["grad", 0.9],
  ["turn", 360],
  ["rad", 180 / Math.PI],
];

/** An angle in degrees, from 0 to 360; NaN if it is none. */
function hueOf(part: string): number {
  const [unit, each] = degrees.find(([unit]) => part.endsWith(unit)) ?? ["", 1];
  const angle = part === "none" ? 0 : Number(part.slice(0, part.length - unit.length)) * each;
  return ((angle % 360) + 360) % 360;
}

const clamped = (channel: number) => Math.max(0, Math.min(1, channel));

function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

function fromHwb(hue: number, white: number, black: number): Triple {
  const gray = white / (white + black);
  if (white + black >= 1) return [gray, gray, gray];
  return fromHsl(hue, 1, 0.5).map((channel) => channel * (1 - white - black) + white) as Triple;
}

function fromPolar(chroma: number, hue: number): [a: number, b: number] {
  const angle = hue * Math.PI / 180;
  return [chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** The white of daylight at 5000 K, which is that of Lab. */
const [whiteX, whiteZ] = [0.3457 / 0.3585, (1 - 0.3457 - 0.3585) / 0.3585];

function fromLab(lightness: number, a: number, b: number): Triple {
  if (lightness >= 100) return [1, 1, 1];
  if (lightness <= 0) return [0, 0, 0];
  const middle = (lightness + 16) / 116;
  const raised = (f: number) => f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27);
  const x = whiteX * raised(middle + a / 500);
  const y = raised(middle);
  const z = whiteZ * raised(middle - b / 200);
  return [
    withGamma(3.1341359 * x - 1.6173863 * y - 0.4906619 * z),
    withGamma(-0.9787955 * x + 1.9162544 * y + 0.0334427 * z),
    withGamma(0.0719553 * x - 0.2289768 * y + 1.405386 * z),
  ];
}

function fromOklab(lightness: number, a: number, b: number): Triple {
  if (lightness >= 1) return [1, 1, 1];
  if (lightness <= 0) return [0, 0, 0];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    withGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    withGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    withGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** A channel of sRGB from one of linear light. */
function withGamma(channel: number): number {
  return channel > 0.0031308 ? 1.055 * channel ** (1 / 2.4) - 0.055 : 12.92 * channel;
}
