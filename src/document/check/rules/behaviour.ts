// Rules about settings that bear on each other: token lifetimes, the disconnected portal, beta applications.
import type { Json } from "../../../json.js";
import type { SettingPath } from "../../../../schemas/names.js";
import { SETTINGS, isDeprecated, type Setting } from "../../../catalog/catalog.js";
import { nameOf, type Finding, type FoundSetting, type Rule } from "./view.js";

export const notMinutes: Rule = (view) =>
  view.settings.flatMap((found): Finding[] => {
    const { value, path, entry } = found;
    if (found.setting.property?.type !== "minutes" || value === undefined || isMinutes(value)) {
      return [];
    }
    const isDigits = typeof value === "string" && /^[1-9]\d*$/.test(value.trim());
    return [
      {
        code: "not-minutes",
        path,
        at: entry.value,
        message: `"${nameOf(found)}" must be a whole number of minutes above zero, but it is ${described(value)}.`,
        help: isDigits
          ? `Write the number without quotes:\n  ${nameOf(found)}: ${value.trim()}`
          : `Write minutes, for example:\n  ${nameOf(found)}: ${JSON.stringify(found.setting.property.example)}`,
      },
    ];
  });

function isMinutes(value: Json): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function described(value: Json): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) ? "a list" : "a mapping";
}

export const tokenOrder: Rule = (view) => {
  const short = view.get("portalConfigProperties.tokenExpiration");
  const long = view.get("portalConfigProperties.longTokenExpiration");
  const [shorter, longer] = [short?.value ?? null, long?.value ?? null];
  if (!short || !long || !isMinutes(shorter) || !isMinutes(longer) || shorter <= longer) return [];
  return [
    {
      code: "token-order",
      path: short.path,
      at: short.entry.value,
      message: `"tokenExpiration" (${shorter} minutes) is longer than "longTokenExpiration" (${longer} minutes).`,
      help: 'Users who choose "Keep me signed in" would be signed out sooner than the others. Swap the two, or raise the long one.',
      also: { node: long.entry.value, message: "sets the long one" },
    },
  ];
};

/** What a disconnected portal switches off together. */
const SWITCHES = SETTINGS.filter(({ property }) => property?.disconnected === false);

/** Those that the reference asks to switch off only after the curated content. */
const AFTER_CURATED_CONTENT = [
  "portalConfigProperties.portalPlatformOnlineConfigEnabled",
  "portalConfigProperties.portalContentCatalogConfigEnabled",
] as const satisfies readonly SettingPath[];

export const halfDisconnected: Rule = (view) => {
  const off = SWITCHES.map(({ path }) => view.get(path)).filter(isOff);
  const [first] = off;
  if (!first) return [];
  const isOffered = ({ property }: Setting) =>
    !(property && view.target && isDeprecated(property, view.target));
  const missing = SWITCHES.filter((each) => !isOff(view.get(each.path)) && isOffered(each));
  if (missing.length === 0) return [];
  const names = missing.map(({ property }) => `"${property?.name}"`);
  return [
    {
      code: "half-disconnected",
      path: first.path,
      at: first.entry.value,
      message: `The portal is half disconnected: "${nameOf(first)}" is false, and ${names.join(" and ")} ${names.length > 1 ? "are" : "is"} not.`,
      help: "Set all of them to false for a disconnected portal, or none.",
    },
  ];
};

export const curatedContent: Rule = (view) => {
  const found = AFTER_CURATED_CONTENT.map((path) => view.get(path)).find(isOff);
  if (!found) return [];
  return [
    {
      code: "curated-content",
      path: found.path,
      at: found.entry.value,
      message: `Access to the curated content catalogue must be switched off before "${nameOf(found)}" is false.`,
      help: "Afterwards its switch is hidden. Once that is done, say so in this file:\n  rules: { curated-content: off }",
    },
  ];
};

function isOff(found: FoundSetting | undefined): found is FoundSetting {
  return found?.value === false;
}

export const assistantsBlocked: Rule = (view) => {
  const [assistants, beta] = [view.get("aiAssistantsEnabled"), view.get("blockBetaApps")];
  if (assistants?.value !== true || beta?.value !== true) return [];
  return [
    {
      code: "assistants-blocked",
      path: assistants.path,
      at: assistants.entry.value,
      message:
        '"aiAssistantsEnabled" has no effect on real portals while "blockBetaApps" is true, though the reference does not document it.',
      help: "They hide the assistants with the other beta applications. Set one of the two to false.",
      also: { node: beta.entry.value, message: "blocks beta applications" },
    },
  ];
};
