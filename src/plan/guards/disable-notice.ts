// Guard: a notice or banner is switched off.
import { formatPath } from "../../settings.js";
import { isSwitch } from "../note.js";
import type { GuardRule } from "./all.js";

export const disableNotice: GuardRule = {
  stops: "an enabled notice or banner that would be switched off",
  isOpenAtBoundary: true,
  help: "Check that the notice is no longer needed. To keep it, delete the line `enabled:` from the file.",
  find: ({ sent }) =>
    sent.flatMap(({ change: { path, after }, couldBe }) =>
      isSwitch(path) && after === false && couldBe.includes(true)
        ? [{ path, message: `"${formatPath(path.slice(0, 1))}" would be switched off.` }]
        : [],
    ),
};
