// Rules about what visitors see: misspelt buttons, colours and their contrast, notices without text.
import { catalog } from "../../../catalog/catalog.js";
import {
  AA_CONTRAST,
  colourNames,
  contrast,
  formatContrast,
  parseColour,
} from "../../../colour.js";
import { didYouMean } from "../../../diagnostic.js";
import { childOf } from "../../read/tree.js";
import { nameOf, type Finding, type Rule } from "./view.js";

export const misspeltValue: Rule = (view) =>
  view.settings.flatMap((found): Finding[] => {
    const known = catalog.misspelt.find(
      ({ property, misspelt }) =>
        property === found.setting.property?.name && misspelt === found.value,
    );
    if (!known) return [];
    return [
      {
        code: "misspelt-value",
        path: found.path,
        at: found.entry.value,
        message: `"${known.misspelt}" is a slip of the vendor's own documentation.`,
        help: `Write it as the portal does:\n  ${nameOf(found)}: ${known.right}`,
      },
    ];
  });

export const unknownColour: Rule = (view) =>
  view.settings.flatMap((found): Finding[] => {
    const { value, entry, path } = found;
    if (found.setting.property?.type !== "colour") return [];
    if (typeof value !== "string" || parseColour(value)) return [];
    return [
      {
        code: "unknown-colour",
        path,
        at: entry.value,
        message: `${JSON.stringify(value)} is neither a CSS colour name nor a hexadecimal colour.`,
        help:
          didYouMean(value, colourNames()) ??
          'The portal accepts any text here; a browser may show no colour. Write a name or, for example, "#b30000".',
      },
    ];
  });

export const lowContrast: Rule = (view) => {
  const back = view.get("informationalBanner.bgColor");
  const front = view.get("informationalBanner.fontColor");
  if (typeof back?.value !== "string" || typeof front?.value !== "string") return [];
  const [ground, letters] = [parseColour(back.value), parseColour(front.value)];
  if (!ground || !letters) return [];
  const ratio = contrast(letters, ground);
  if (ratio >= AA_CONTRAST) return [];
  const better = ["black", "white"]
    .map((name) => ({ name, ratio: ratioOf(name, back.value) }))
    .toSorted((one, other) => other.ratio - one.ratio)[0];
  return [
    {
      code: "low-contrast",
      path: front.path,
      at: front.entry.value,
      message: `"${front.value}" on "${back.value}" has a contrast of ${formatContrast(ratio)}:1, where WCAG AA asks for ${AA_CONTRAST}:1.`,
      help: better
        ? `On this background, "${better.name}" has ${formatContrast(better.ratio)}:1.`
        : "Choose colours that differ more in lightness.",
      also: { node: back.entry.value, message: "sets the background" },
    },
  ];
};

function ratioOf(name: string, back: unknown): number {
  const [letters, ground] = [parseColour(name), parseColour(String(back))];
  return letters && ground ? contrast(letters, ground) : 0;
}

export const emptyNotice: Rule = (view) =>
  view.parameters.flatMap(({ parameter, path, entry }): Finding[] => {
    const shows = (catalog.objects[parameter.object ?? ""] ?? []).some(
      ({ name }) => name === "enabled",
    );
    const enabled = childOf(entry.value, "enabled");
    if (!shows || enabled?.kind !== "scalar" || enabled.value !== true) return [];
    const text = childOf(entry.value, "text");
    // A null has a diagnostic of its own.
    if (text && !(text.kind === "scalar" && text.value !== null && !String(text.value).trim())) {
      return [];
    }
    return [
      {
        code: "empty-notice",
        path: [...path, "text"],
        at: text ?? entry.key,
        message: `"${parameter.name}" is enabled and has no text.`,
        help: text
          ? "Write the text that visitors should see, or disable it."
          : "Add a text, so that the file alone decides what visitors see.",
      },
    ];
  });
