// What a pull did to a file → text for a terminal: each value, and why others were left.
import type { Outcome } from "../outcome.js";
import type { Json } from "../json.js";
import { formatPath, type Path } from "../settings.js";
import { shownValue } from "./change.js";
import { inColumns } from "./layout.js";
import { oneLine, type Paint } from "./paint.js";
import { checkText, counted } from "./text.js";

export interface PulledValue {
  readonly path: Path;
  readonly before?: Json;
  readonly value: Json;
  readonly outcome: "changed" | "added" | "left";
  readonly why?: string;
}

export function pullText(
  file: string,
  pulled: readonly PulledValue[],
  outcome: Outcome,
  paint: Paint,
): string {
  const of = (wanted: PulledValue["outcome"]) => pulled.filter((each) => each.outcome === wanted);
  const [changed, added, left] = [of("changed"), of("added"), of("left")];
  const row = (mark: string, { path, before, value, why }: PulledValue): [string, string] => [
    `  ${mark} ${oneLine(formatPath(path))}`,
    oneLine(
      why ??
        `${before === undefined ? "" : `${shownValue(before, 150)} → `}${shownValue(value, 150)}`,
    ),
  ];
  const rows = [
    ...changed.map((each) => row("~", each)),
    ...added.map((each) => row("+", each)),
    ...left.map((each) => row("!", each)),
  ];
  const counts = [
    ...(changed.length > 0 ? [`${counted(changed.length, "value")} changed`] : []),
    ...(added.length > 0 ? [`${counted(added.length, "value")} added`] : []),
    ...(left.length > 0 ? [`${left.length} left as they are`] : []),
  ];
  const problems =
    outcome.diagnostics.length > 0 ? `\nAs it is now:\n\n${checkText(outcome, paint)}` : "";
  if (counts.length === 0) {
    return `${paint.green(`${oneLine(file)} says what the portal shows.`)}\n`;
  }
  return `${inColumns(rows).join("\n")}\n\n${paint.bold(`${oneLine(file)}: ${counts.join(", ")}.`)}\n${problems}`;
}
