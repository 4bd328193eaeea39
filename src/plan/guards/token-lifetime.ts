// Guard: tokens live longer.
import { findSetting } from "../../catalog/catalog.js";
import { printJson, nearestNumber } from "../../lib/json.js";
import { formatPath } from "../../settings.js";
import type { GuardRule } from "./all.js";

export const tokenLifetime: GuardRule = {
  stops: "a token that would live longer",
  isOpenAtBoundary: true,
  help: "A stolen token works for that long. Check that your security rules allow it.",
  find: ({ sent }) =>
    sent.flatMap(({ change: { path, after }, couldBe }) => {
      const property = findSetting(path)?.property;
      const minutes = nearestNumber(after);
      if (property?.type !== "minutes" || minutes === undefined) return [];
      // Without a value, the documented default applied.
      const before = couldBe
        .map((value) => nearestNumber(value ?? property.default))
        .filter((value) => value !== undefined);
      const shortest = Math.min(...before);
      if (before.length === 0 || minutes <= shortest) return [];
      const message = `"${formatPath(path)}" would grow from ${shortest} to ${printJson(after)} minutes.`;
      return [{ path, message }];
    }),
};
