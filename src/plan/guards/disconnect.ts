// Guard: a switch flips that says whether the portal may use services on the internet.
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
      // Anything but false is connected, and so is a portal where it was never set.
      if (couldBe.every((before) => (before === false) === (after === false))) return [];
      const way = after === false ? "connected to disconnected" : "disconnected to connected";
      return [{ path, message: `"${formatPath(path)}" would go from ${way}.` }];
    }),
};
