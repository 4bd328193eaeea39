// Rule: some properties may be switched off only after the curated content.
import type { SettingPath } from "../../../../schemas/names.js";
import { nameOf, onValue, type Rule } from "./rule.js";

const AFTERWARDS = [
  "portalConfigProperties.portalPlatformOnlineConfigEnabled",
  "portalConfigProperties.portalContentCatalogConfigEnabled",
] as const satisfies readonly SettingPath[];

export const curatedContent = {
  code: "curated-content",
  severity: "warning",
  meaning: "a reminder to switch curated content off first",
  find: (view) => {
    const found = AFTERWARDS.map((path) => view.get(path)).find((each) => each?.value === false);
    if (!found) return [];
    const message = `Access to the curated content catalogue must be switched off before "${nameOf(found)}" is false.`;
    const help =
      "Afterwards its switch is hidden. Once that is done, write in this file:\n  rules: { curated-content: off }";
    return [onValue(found, message, help)];
  },
} as const satisfies Rule;
