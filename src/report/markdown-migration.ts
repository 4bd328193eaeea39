// Prints what became of each property of an old file as the Markdown of one comment: first what needs a decision.
import { formatSpot } from "../settings.js";
import { counted } from "../lib/text.js";
import { shownValue } from "./difference.js";
import { diagnosticsBlock, fitting } from "./markdown-report.js";
import { codeInCell, fenced, folded } from "./markdown-text.js";
import {
  endText,
  legendOfOutcomes,
  partsOf,
  verdictOfMigration,
  type MigrationPage,
  type Part,
  type PropertyReport,
} from "./migration-report.js";
import { headlineOf } from "./verdict.js";

/** In characters; a comment may have 65,536. */
const BUDGET = 60_000;
const LONGEST_VALUE = 100;

export function markdownMigration({ properties, outcome, ...next }: MigrationPage): string {
  const { diagnostics } = outcome;
  const parts = partsOf(properties);
  const end = endText(next);
  const blocks = [
    "<!-- lintel migrate -->\n## Lintel migrate",
    `**${headlineOf(outcome, verdictOfMigration(properties))}**`,
    ...(diagnostics.length > 0 ? [diagnosticsBlock(diagnostics, BUDGET / 3)] : []),
    ...parts.map((part) => partBlock(part, BUDGET / 6)),
    ...(properties.length > 0 ? [legendOf(properties)] : []),
    ...(end === "" ? [] : [fenced("text", [end.trim()])]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

const HEAD = "| Property | Outcome | Value | Where |\n|---|---|---|---|";

/** What needs no attention is folded away. */
function partBlock({ title, properties }: Part, room: number): string {
  const rows = fitting(properties.map(rowOf), room);
  const left = properties.length - rows.length;
  const more = left > 0 ? `\n\n${counted(left, "more property")} not listed here.` : "";
  const table = `${[HEAD, ...rows].join("\n")}${more}`;
  return title === "Left out"
    ? folded(`${title}: ${counted(properties.length, "property")}`, false, [table])
    : `### ${title}\n\n${table}`;
}

function rowOf({ name, outcome, value, place }: PropertyReport): string {
  const shown = value === undefined ? "" : codeInCell(shownValue(value, LONGEST_VALUE));
  return `| ${codeInCell(name)} | ${outcome} | ${shown} | ${codeInCell(formatSpot(place))} |`;
}

function legendOf(properties: readonly PropertyReport[]): string {
  const lines = legendOfOutcomes(properties).map(({ name, meaning }) => `${name}: ${meaning}`);
  return folded("What the outcomes mean", false, [lines.map((line) => `- ${line}`).join("\n")]);
}
