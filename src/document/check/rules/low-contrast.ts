// Rule: the banner's colours have too little contrast.
import { AA_CONTRAST, contrast, formatContrast, parseColour } from "../../../colour.js";
import { onValue, type Rule } from "./rule.js";

export const lowContrast = {
  code: "low-contrast",
  severity: "warning",
  meaning: "banner colours below 4.5:1, which WCAG AA asks for",
  find: (view) => {
    const back = view.get("informationalBanner.bgColor");
    const front = view.get("informationalBanner.fontColor");
    if (typeof back?.value !== "string" || typeof front?.value !== "string") return [];
    const ratio = ratioOf(front.value, back.value) ?? AA_CONTRAST;
    if (ratio >= AA_CONTRAST) return [];
    const [black = 0, white = 0] = [ratioOf("black", back.value), ratioOf("white", back.value)];
    const better = white > black ? "white" : "black";
    const message = `"${front.value}" on "${back.value}" has a contrast of ${formatContrast(ratio)}:1, where WCAG AA asks for ${AA_CONTRAST}:1.`;
    const help = `On this background, "${better}" has ${formatContrast(Math.max(black, white))}:1.`;
    const also = { node: back.entry.value, message: "sets the background" };
    return [{ ...onValue(front, message, help), also }];
  },
} as const satisfies Rule;

function ratioOf(front: string, back: string): number | undefined {
  const [letters, ground] = [parseColour(front), parseColour(back)];
  return letters && ground && contrast(letters, ground);
}
