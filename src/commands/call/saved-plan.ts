// The words of a call → the saved plan that is meant, recognised by its content; undefined where there is none among them.
import { resolve } from "node:path";
import { wrongUsage } from "../../failure.js";
import { readFile, reasonOf } from "../../file.js";
import type { Io } from "../../io.js";
import { parseSaved, type Saved } from "../../plan/saved.js";
import type { Call } from "../command.js";
import { shellWord } from "../../text.js";

/** Hundreds of portals in one. */
const LARGEST_PLAN = 64 * 1024 * 1024;

export interface NamedPlan extends Saved {
  readonly place: string;
}

export function findSavedPlan(io: Io, { operands }: Pick<Call, "operands">): NamedPlan | undefined {
  const plans = operands.flatMap((place) => {
    const saved = readSavedPlan(io, place);
    return saved ? [{ ...saved, place }] : [];
  });
  const [plan] = plans;
  if (plan && operands.length > 1) {
    throw wrongUsage(
      `"${plan.place}" is a saved plan, which stands for itself.`,
      `Name it alone:\n  lintel apply ${shellWord(plan.place)}`,
    );
  }
  return plan;
}

/** Undefined for what is no saved plan; whoever reads it as something else says what is wrong with that. */
export function readSavedPlan(io: Io, place: string): Saved | undefined {
  if (place === "-") return undefined;
  const limits = { largest: LARGEST_PLAN, links: "followed" } as const;
  try {
    return parseSaved(readFile(resolve(io.cwd, place), limits).toString(), place);
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}
