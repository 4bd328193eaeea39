// Rule: a disconnected portal switches off all online services together.
import { SETTINGS, isDeprecated } from "../../../catalog/catalog.js";
import { nameOf, onValue, type Rule } from "./rule.js";

const SWITCHES = SETTINGS.filter(({ property }) => property?.disconnected === false);

export const halfDisconnected = {
  code: "half-disconnected",
  severity: "warning",
  meaning: "some of the three switches of a disconnected portal without the others",
  find: (view) => {
    const isOff = (each: (typeof SWITCHES)[number]) => view.get(each.path)?.value === false;
    const first = SWITCHES.filter(isOff).map(({ path }) => view.get(path))[0];
    const missing = SWITCHES.filter(
      (each) =>
        !isOff(each) && !(each.property && view.target && isDeprecated(each.property, view.target)),
    );
    if (!first || missing.length === 0) return [];
    const names = missing.map(({ property }) => `"${property?.name}"`);
    const message = `The portal is half disconnected: "${nameOf(first)}" is false, and ${names.join(" and ")} ${names.length > 1 ? "are" : "is"} not.`;
    const help = "Set all of them to false for a disconnected portal, or none.";
    return [onValue(first, message, help)];
  },
} as const satisfies Rule;
