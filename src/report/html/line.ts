// What is told of a portal → what its line in a table needs of that, so that the rest can be let go where portals are many.
import type { PortalReport } from "../model/portal.js";

export interface Line extends Pick<
  PortalReport,
  "result" | "isDrift" | "isDone" | "states" | "status" | "counts" | "where" | "basis" | "last"
> {
  /** Its number in the run. */
  readonly at: number;
  /** How many changes there are. */
  readonly changes: number;
  readonly changed: ReadonlyMap<string, Changed>;
}

/** Of a parameter. */
export interface Changed {
  readonly count: number;
  /** Whether somebody else had changed it before. */
  readonly isDrifted: boolean;
}

export function lineOf(report: PortalReport, at: number): Line {
  const { result, isDrift, isDone, states, status, counts, where, basis, last, changes } = report;
  const changed = new Map<string, Changed>();
  for (const { change, isDrifted } of changes) {
    const parameter = String(change.path[0]);
    const known = changed.get(parameter) ?? { count: 0, isDrifted: false };
    changed.set(parameter, {
      count: known.count + 1,
      isDrifted: known.isDrifted || isDrifted,
    });
  }
  const about = { result, isDrift, isDone, states, status, counts, where, basis, last };
  return { ...about, at, changes: changes.length, changed };
}
