// The words of a call → the saved plan that is meant, recognised by its content; undefined where there is none among them.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { parseSaved, type Saved } from "../plan/saved.js";
import type { Call } from "./command.js";

export interface NamedPlan extends Saved {
  readonly place: string;
}

export function findSavedPlan(io: Io, { operands }: Call): NamedPlan | undefined {
  const plans = operands.flatMap((place) => {
    const saved = readSavedPlan(io, place);
    return saved ? [{ ...saved, place }] : [];
  });
  const [plan] = plans;
  if (plan && operands.length > 1) {
    throw new Failure(
      "wrong-usage",
      `"${plan.place}" is a saved plan, which stands for itself.`,
      `Name it alone:\n  lintel apply ${plan.place}`,
    );
  }
  return plan;
}

/** Undefined for what is no saved plan; whoever reads it as something else says what is wrong with that. */
function readSavedPlan(io: Io, place: string): Saved | undefined {
  const path = resolve(io.cwd, place);
  if (place === "-" || !statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return parseSaved(readFileSync(path, "utf8"), place);
}
