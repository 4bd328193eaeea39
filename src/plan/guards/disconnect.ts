// Guard: a switch for the portal's use of internet services flips.
import { findSetting } from "../../catalog/catalog.js";
import { formatPath } from "../../settings.js";
import type { GuardRule } from "./all.js";

export const disconnect: GuardRule = {
  stops: "a switch of a disconnected portal that would flip",
  isOpenAtBoundary: true,
  help: "Check that the portal should lose, or get back, its internet services.",
  find: ({ sent }) =>
    sent.flatMap(({ change: { path, after }, couldBe }) => {
      if (findSetting(path)?.property?.disconnected !== false) return [];
      // Every value but false means connected, also no value.
      if (couldBe.every((before) => (before === false) === (after === false))) return [];
      const way = after === false ? "connected to disconnected" : "disconnected to connected";
      return [{ path, message: `"${formatPath(path)}" would go from ${way}.` }];
    }),
};
