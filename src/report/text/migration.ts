// What became of each property of an old file → a table for people, one line each, and the counts.
import type { Place } from "../../diagnostic.js";
import { type Paint } from "./paint.js";
import { formatSpot } from "../../settings.js";
import { counted, oneLine } from "../../text.js";

export interface PropertyRow {
  readonly name: string;
  readonly outcome: string;
  readonly place: Pick<Place, "file" | "line" | "column">;
}

export function migrationText(rows: readonly PropertyRow[], paint: Paint): string {
  if (rows.length === 0) return "";
  const cells = rows.map(({ name, outcome, place }) => ({
    at: oneLine(formatSpot(place)),
    outcome,
    name: oneLine(name.slice(0, 100)),
  }));
  const width = Math.max(...cells.map(({ at }) => at.length));
  const lines = cells.map(
    ({ at, outcome, name }) =>
      `${paint.dim(at.padEnd(width))}  ${painted(outcome, paint)}  ${name}\n`,
  );
  return `${lines.join("")}\n${countsText(rows)}\n`;
}

function painted(outcome: string, paint: Paint): string {
  const text = outcome.padEnd("needs-newer-target".length);
  if (outcome === "migrated") return paint.green(text);
  if (outcome === "not-understood" || outcome === "invalid") return paint.red(text);
  return outcome === "needs-newer-target" ? paint.yellow(text) : paint.dim(text);
}

export function countsText(rows: readonly PropertyRow[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
  return `${counted(rows.length, "property")}: ${parts.join(", ")}.`;
}
