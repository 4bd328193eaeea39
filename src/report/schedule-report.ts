// Prints the windows of portals as a table, the next first; a window that several portals share is one row.
import { counted, someOf } from "../lib/text.js";
import type { Styles } from "./styles.js";
import { cellOf, tableLines } from "./text-layout.js";

interface WindowRow {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly isOpen: boolean;
  readonly settings: readonly { readonly path: string }[];
}

const MOST_NAMES = 3;
/** Of what a window sets, a path a line. */
const NARROWEST = 12;

export function windowsText(
  portals: readonly {
    readonly name: string;
    readonly schedule: object | null;
    readonly windows: readonly WindowRow[];
  }[],
  styles: Styles,
): string {
  const rows = new Map<string, { readonly window: WindowRow; readonly portals: string[] }>();
  for (const { name, windows } of portals) {
    for (const window of windows) {
      const key = JSON.stringify([window.from, window.until, window.name, pathsOf(window)]);
      const row = rows.get(key) ?? { window, portals: [] };
      row.portals.push(name);
      rows.set(key, row);
    }
  }
  if (rows.size === 0) {
    const isAny = portals.some(({ schedule }) => schedule !== null);
    return isAny ? "No window is open, and none is to come.\n" : "No file has a schedule.\n";
  }
  const ordered = [...rows.values()].toSorted((one, other) =>
    one.window.from < other.window.from ? -1 : one.window.from > other.window.from ? 1 : 0,
  );
  const isMany = portals.length > 1;
  const head = ["window", "opens", "closes", ...(isMany ? ["portals"] : []), "sets"];
  const table = ordered.map(({ window, portals: named }) => [
    cellOf(window.name, styles.bold),
    window.isOpen ? cellOf("is open", styles.green) : cellOf(styles.time(window.from)),
    cellOf(styles.time(window.until)),
    ...(isMany ? [cellOf(someOf(named, "portal", MOST_NAMES))] : []),
    cellOf(pathsOf(window).join(", ")),
  ]);
  const count = ordered.filter(({ window }) => window.isOpen).length;
  const total = `${counted(ordered.length, "window")}, ${count === 0 ? "none" : String(count)} open.`;
  return `${tableLines(
    head.map((name) => cellOf(name)),
    table,
    styles,
    NARROWEST,
  ).join("\n")}\n\n${total}\n`;
}

function pathsOf({ settings }: WindowRow): string[] {
  return settings.map(({ path }) => path);
}
