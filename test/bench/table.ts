// Prints figures as a table.
import { cpus } from "node:os";
import type { Figure } from "./measure.js";

export function tableOf(figures: readonly Figure[], lines: number): string {
  const rows = [
    ["call", "median ms", "ratio", "target", "to", "peak MiB", "target", "verdict"],
    ...figures.map((each) => [
      each.name,
      each.medianMs.toFixed(1),
      each.ratio.toFixed(2),
      each.target === null ? "" : `≤ ${each.target}`,
      each.name === each.comparedWith ? "" : each.comparedWith,
      each.peakMiB?.toFixed(0) ?? "",
      each.targetMiB === null ? "" : `≤ ${each.targetMiB}`,
      each.isMet === null ? "" : each.isMet ? "met" : "missed",
    ]),
  ];
  const widths = (rows[0] ?? []).map((_head, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const shown = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return [
    `Node ${process.version}, ${cpus().length} cores; NODE_EXTRA_CA_CERTS is unset. Settings files of ${lines} lines.`,
    "Only ratios carry over to another machine: each is to another call in the same run.",
    "",
    ...shown,
  ].join("\n");
}
