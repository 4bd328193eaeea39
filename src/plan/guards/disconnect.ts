// Guard: a switch flips that says whether the portal may use services on the internet.
import { findSetting } from "../../catalog/catalog.js";
import { formatPath } from "../../settings.js";
import type { GuardRule } from "./all.js";

export const disconnect: GuardRule = {
  stops: "a switch of a disconnected portal that would flip",
  severity: "high",
  help: "Make sure that the portal really is to lose, or to get back, what it uses from the internet.",
  find: ({ sent }) =>
    sent
      .filter(({ change: { path, after }, couldBe }) => {
        const isSwitch = findSetting(path)?.property?.disconnected === false;
        // Anything but false is connected, and so is a portal where it was never set.
        return isSwitch && couldBe.some((before) => (before !== false) !== (after !== false));
      })
      .map(({ change: { path, after } }) => {
        const way =
          after === false ? "from connected to disconnected" : "from disconnected to connected";
        return { path, message: `"${formatPath(path)}" would go ${way}.` };
      }),
};
