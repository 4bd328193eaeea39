// What is told of portals, one after the other → a line of each and its pieces, so that their plans can be let go.
import type { PortalResult } from "../../plan/result.js";
import { isDrifted } from "./change.js";
import { openCollection, type Collection, type Extra, type Pieces } from "./alike.js";
import type { PortalReport } from "./portal.js";

/** What tables and headings say of a portal. */
export interface Line extends Pick<
  PortalReport,
  "isDrift" | "isDone" | "states" | "status" | "counts" | "where" | "basis" | "last"
> {
  /** Without what the pieces hold. */
  readonly result: PortalResult;
  /** How many changes there are. */
  readonly changes: number;
  /** By parameter. */
  readonly changed: ReadonlyMap<string, Changed>;
  /** The parameters of which something is managed. */
  readonly managed: ReadonlySet<string>;
  /** Whether there is something to send. */
  readonly isSent: boolean;
}

export interface Changed {
  readonly count: number;
  /** Whether somebody else had changed it before. */
  readonly isDrifted: boolean;
}

export interface Gathered {
  readonly line: Line;
  readonly pieces: Pieces;
}

/** All portals of a report, in its order, and what their pieces stand for. */
export interface Gathering {
  readonly collection: Collection;
  readonly gathered: readonly Gathered[];
}

/** `rest` is what is left of the result. */
export function gather(collection: Collection, report: PortalReport, rest: PortalResult): Gathered {
  return { line: lineOf(report, rest), pieces: collection.add(report) };
}

/** One report at a time, since of many portals all of them would be too much. */
export function gatherAll(
  reports: readonly (() => PortalReport)[],
  extras: readonly Extra[],
): Gathering {
  const collection = openCollection(extras);
  const gathered = reports.map((make) => {
    const report = make();
    return gather(collection, report, report.result);
  });
  return { collection, gathered };
}

function lineOf(report: PortalReport, rest: PortalResult): Line {
  const { isDrift, isDone, states, status, counts, where, basis, last, changes } = report;
  const { plan } = report.result;
  const changed = new Map<string, Changed>();
  for (const change of changes) {
    const parameter = String(change.path[0]);
    const known = changed.get(parameter);
    changed.set(parameter, {
      count: (known?.count ?? 0) + 1,
      isDrifted: isDrifted(change) || (known?.isDrifted ?? false),
    });
  }
  return {
    isDrift,
    isDone,
    states,
    status,
    counts,
    where,
    basis,
    last,
    result: rest,
    changes: changes.length,
    changed,
    managed: new Set(plan?.leaves.map(({ path }) => String(path[0]))),
    isSent: plan?.request !== null && plan?.request !== undefined,
  };
}
