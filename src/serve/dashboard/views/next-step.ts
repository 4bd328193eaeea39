// Chooses the next step for a portal, as sentences with commands.
import { shellWord } from "../../../lib/text.js";
import { changeEntry } from "../../../report/change-entry.js";
import { stepsAfterDrift } from "../../../report/drift-report.js";
import type { Snapshot } from "../../snapshot.js";
import { driftChange } from "./change-list.js";

/** Empty if nothing is to be done. Never includes the option that allows a guard. */
export function nextSteps(snapshot: Snapshot, guards: readonly string[]): string {
  const { status, file, failure, drift, waiting } = snapshot;
  const word = shellWord(file);
  const isGuarded = guards.length > 0 || failure?.code === "guarded";
  if (failure?.help && failure.code !== "guarded") return failure.help;
  if (status === "held") return `End the hold when its reason is gone:\n  lintel unhold ${word}`;
  if (status === "invalid") return `Show each error with its line:\n  lintel validate ${word}`;
  if (status === "unreachable" || (failure && !isGuarded))
    return `Find the cause:\n  lintel doctor ${word}`;
  const entries = drift.map((each) => changeEntry(driftChange(each), false));
  const steps = [
    ...stepsAfterDrift(entries, word)
      .filter(({ command }) => !(isGuarded && command.startsWith("lintel plan")))
      .map(({ text, command }) => `${text}:\n  ${command}`),
    ...(isGuarded
      ? [
          guards.length > 0
            ? "Before an apply, read what the guard protects, and review the plan:"
            : "Before an apply, review the plan:",
          ...guards.map((guard) => `  lintel explain ${guard}`),
          `  lintel plan ${word}`,
        ]
      : []),
    ...(!isGuarded && drift.length === 0 && waiting.length > 0
      ? [`Review the plan and apply it:\n  lintel apply ${word}`]
      : []),
  ];
  return steps.join("\n");
}
