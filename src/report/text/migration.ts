// What became of each property of an old file → a table for people, one line each in the file's order, the counts, and what comes next.
import { formatSpot } from "../../settings.js";
import { oneLine } from "../../lib/text.js";
import {
  legendOfOutcomes,
  outcomesText,
  type Next,
  type PropertyReport,
} from "../model/migration.js";
import { inColumns } from "./layout.js";
import { type Paint } from "./paint.js";

export function migrationText(properties: readonly PropertyReport[], paint: Paint): string {
  if (properties.length === 0) return "";
  const cells = properties.map(({ name, outcome, place }) => ({
    at: oneLine(formatSpot(place)),
    outcome,
    name: oneLine(name.slice(0, 100)),
  }));
  const width = cells.reduce((most, { at }) => Math.max(most, at.length), 0);
  const lines = cells.map(
    ({ at, outcome, name }) =>
      `${paint.dim(at.padEnd(width))}  ${painted(outcome, paint)}  ${name}\n`,
  );
  const legend = inColumns(
    legendOfOutcomes(properties).map(({ name, meaning }) => [`  ${name}`, meaning]),
    paint,
  ).map((line) => `${paint.dim(line)}\n`);
  return `${lines.join("")}\n${outcomesText(properties)}\n${legend.join("")}`;
}

function painted(outcome: string, paint: Paint): string {
  const text = outcome.padEnd("needs-newer-target".length);
  if (outcome === "migrated") return paint.green(text);
  if (outcome === "not-understood" || outcome === "invalid") return paint.red(text);
  return outcome === "needs-newer-target" ? paint.yellow(text) : paint.dim(text);
}

export function endText({ ending, steps }: Next): string {
  const [first, ...more] = steps.map(({ text, command }) => `${text}\n  ${command}\n`);
  return [
    ending && `${ending}\n`,
    first && `\nNext: ${first}`,
    ...more.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  ]
    .filter(Boolean)
    .join("");
}
