// The name of a guard → what it stops, what to look at before opening it, and how it is opened.
import { EXIT } from "../../failure.js";
import type { GuardName } from "../../guard.js";
import { GUARD_RULES } from "../../plan/guards/all.js";
import { wrap } from "../../report/text/layout.js";
import { openingOf } from "../../report/model/guard.js";
import type { Result } from "../command.js";

export function explainGuard(name: GuardName): Result {
  const { stops, severity, help } = GUARD_RULES[name];
  const closed = { name, path: null, message: "", isOpen: false, openedBy: null };
  const [advice = "", ...commands] = help.split("\n");
  return {
    outcome: {
      command: "explain",
      exit: EXIT.done,
      diagnostics: [],
      more: { guard: { name, severity, stops, help } },
    },
    text: (paint) =>
      [
        paint.bold(name),
        ...wrap(`A guard of ${severity} severity. It stops ${stops.replaceAll("`", '"')}.`, 90),
        "",
        ...wrap(advice, 90),
        ...commands,
        "",
        ...openingOf([closed], "the file").help.split("\n"),
      ]
        .map((line, at) => (at === 0 || line === "" ? line : `  ${line}`))
        .join("\n") + "\n",
  };
}
