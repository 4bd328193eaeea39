// Core type: colours as people write them, and their contrast by WCAG 2.

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** From 0 for transparent, to 1. */
  readonly alpha: number;
}

/** The contrast that WCAG AA and AAA require for text. */
export const AA_CONTRAST = 4.5;
export const AAA_CONTRAST = 7;

const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };
const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };

/** Parses a CSS colour name or a hexadecimal colour; undefined for other texts. */
export function parseColour(text: string): Colour | undefined {
  const name = text.trim().toLowerCase();
  if (name === "transparent") return { red: 0, green: 0, blue: 0, alpha: 0 };
  const hex =
    COLOUR_NAMES.get(name) ?? /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(name)?.[1];
  if (!hex) return undefined;
  const digits = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  const alpha = digits.length === 8 ? part(6) / 255 : 1;
  return { red: part(0), green: part(2), blue: part(4), alpha };
}

/** From 1 to 21. A transparent colour is blended with what is below: the banner's, with a white page. */
export function contrast(front: Colour, back: Colour): number {
  const ground = over(back, WHITE);
  const [one, other] = [luminance(over(front, ground)), luminance(ground)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Truncated, so that 4.499 is not shown as 4.5. */
export function formatContrast(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

/** Such as #b30000; a transparent colour is blended with white. */
export function formatColour(colour: Colour): string {
  const { red, green, blue } = over(colour, WHITE);
  const digits = [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0"));
  return `#${digits.join("")}`;
}

// Finer than a screen's colours. More halving would only produce rounding differences in greys.
const STEPS = 1000;

/** The nearest tint or shade of `front` with enough contrast to `back`; undefined if there is none. */
export function nearestWithContrast(
  front: Colour,
  back: Colour,
  least: number,
): Colour | undefined {
  const ground = over(back, WHITE);
  const from = toLab(over(front, ground));
  const distance = (colour: Colour) =>
    Math.hypot(...toLab(colour).map((part, axis) => part - (from[axis] ?? 0)));
  return [WHITE, BLACK]
    .flatMap((end): Colour[] => {
      if (contrast(end, ground) < least) return [];
      const to = toLab(end);
      const at = (step: number) =>
        fromLab(from.map((part, axis) => part + (((to[axis] ?? 0) - part) * step) / STEPS));
      // The contrast is monotonic towards each end, so halving finds the first step that reaches it.
      let [low, high] = [0, STEPS];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (contrast(at(middle), ground) >= least) high = middle;
        else low = middle + 1;
      }
      return [at(high)];
    })
    .toSorted((one, other) => distance(one) - distance(other))[0];
}

function over(front: Colour, back: Colour): Colour {
  const mix = (part: "red" | "green" | "blue") =>
    front[part] * front.alpha + back[part] * (1 - front.alpha);
  return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
}

function luminance({ red, green, blue }: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(toLight);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The linear light of one channel: from 0..255 to 0..1. */
function toLight(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function fromLight(light: number): number {
  const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(Math.max(share, 0), 1) * 255);
}

// Oklab, where equal distances look equal; its published matrices, one row a line.
const LIGHT_TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const CONES_TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const LAB_TO_CONES = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const CONES_TO_LIGHT = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

function toLab({ red, green, blue }: Colour): number[] {
  return times(CONES_TO_LAB, times(LIGHT_TO_CONES, [red, green, blue].map(toLight)).map(Math.cbrt));
}

function fromLab(lab: readonly number[]): Colour {
  const cones = times(LAB_TO_CONES, lab).map((each) => each ** 3);
  const [red = 0, green = 0, blue = 0] = times(CONES_TO_LIGHT, cones).map(fromLight);
  return { red, green, blue, alpha: 1 };
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, part, axis) => sum + part * (vector[axis] ?? 0), 0));
}

// The colour names of CSS as one text, because 148 pairs of literals would fill four screens.
export const COLOUR_NAMES: ReadonlyMap<string, string> = new Map(
  `
  aliceblue f0f8ff  antiquewhite faebd7  aqua 00ffff  aquamarine 7fffd4  azure f0ffff
  beige f5f5dc  bisque ffe4c4  black 000000  blanchedalmond ffebcd  blue 0000ff
  blueviolet 8a2be2  brown a52a2a  burlywood deb887  cadetblue 5f9ea0  chartreuse 7fff00
  chocolate d2691e  coral ff7f50  cornflowerblue 6495ed  cornsilk fff8dc  crimson dc143c
  cyan 00ffff  darkblue 00008b  darkcyan 008b8b  darkgoldenrod b8860b  darkgray a9a9a9
  darkgreen 006400  darkgrey a9a9a9  darkkhaki bdb76b  darkmagenta 8b008b
  darkolivegreen 556b2f  darkorange ff8c00  darkorchid 9932cc  darkred 8b0000
  darksalmon e9967a  darkseagreen 8fbc8f  darkslateblue 483d8b  darkslategray 2f4f4f
  darkslategrey 2f4f4f  darkturquoise 00ced1  darkviolet 9400d3  deeppink ff1493
  deepskyblue 00bfff  dimgray 696969  dimgrey 696969  dodgerblue 1e90ff  firebrick b22222
  floralwhite fffaf0  forestgreen 228b22  fuchsia ff00ff  gainsboro dcdcdc
  ghostwhite f8f8ff  gold ffd700  goldenrod daa520  gray 808080  green 008000
  greenyellow adff2f  grey 808080  honeydew f0fff0  hotpink ff69b4  indianred cd5c5c
  indigo 4b0082  ivory fffff0  khaki f0e68c  lavender e6e6fa  lavenderblush fff0f5
  lawngreen 7cfc00  lemonchiffon fffacd  lightblue add8e6  lightcoral f08080
  lightcyan e0ffff  lightgoldenrodyellow fafad2  lightgray d3d3d3  lightgreen 90ee90
  lightgrey d3d3d3  lightpink ffb6c1  lightsalmon ffa07a  lightseagreen 20b2aa
  lightskyblue 87cefa  lightslategray 778899  lightslategrey 778899  lightsteelblue b0c4de
  lightyellow ffffe0  lime 00ff00  limegreen 32cd32  linen faf0e6  magenta ff00ff
  maroon 800000  mediumaquamarine 66cdaa  mediumblue 0000cd  mediumorchid ba55d3
  mediumpurple 9370db  mediumseagreen 3cb371  mediumslateblue 7b68ee
  mediumspringgreen 00fa9a  mediumturquoise 48d1cc  mediumvioletred c71585
  midnightblue 191970  mintcream f5fffa  mistyrose ffe4e1  moccasin ffe4b5
  navajowhite ffdead  navy 000080  oldlace fdf5e6  olive 808000  olivedrab 6b8e23
  orange ffa500  orangered ff4500  orchid da70d6  palegoldenrod eee8aa  palegreen 98fb98
  paleturquoise afeeee  palevioletred db7093  papayawhip ffefd5  peachpuff ffdab9
  peru cd853f  pink ffc0cb  plum dda0dd  powderblue b0e0e6  purple 800080
  rebeccapurple 663399  red ff0000  rosybrown bc8f8f  royalblue 4169e1  saddlebrown 8b4513
  salmon fa8072  sandybrown f4a460  seagreen 2e8b57  seashell fff5ee  sienna a0522d
  silver c0c0c0  skyblue 87ceeb  slateblue 6a5acd  slategray 708090  slategrey 708090
  snow fffafa  springgreen 00ff7f  steelblue 4682b4  tan d2b48c  teal 008080  thistle d8bfd8
  tomato ff6347  turquoise 40e0d0  violet ee82ee  wheat f5deb3  white ffffff
  whitesmoke f5f5f5  yellow ffff00  yellowgreen 9acd32
  `
    .trim()
    .split(/\s{2,}/)
    .map((pair): [string, string] => {
      const [name = "", hex = ""] = pair.split(" ");
      return [name, hex];
    }),
);
