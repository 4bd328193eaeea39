// Prints what a pull changed in a file, what it left and why, and what it did not compare.
import type { Outcome } from "../outcome.js";
import type { Json } from "../lib/json.js";
import { formatPath, type Path } from "../settings.js";
import { shownValue } from "./difference.js";
import { leftOutText } from "./verdict.js";
import { inColumns } from "./text-layout.js";
import { type Styles } from "./styles.js";
import { counted, oneLine } from "../lib/text.js";
import { checkText } from "./problem-text.js";

export interface PulledValue {
  readonly path: Path;
  readonly before?: Json;
  readonly value: Json;
  readonly outcome: "changed" | "added" | "left";
  readonly why?: string;
  readonly overrides?: string;
}

export interface PullReport {
  /** The file whose settings were compared with the portal. */
  readonly file: string;
  /** The file that was to be written, mostly the same. */
  readonly into: string;
  readonly pulled: readonly PulledValue[];
  /** What --path names; empty for all. */
  readonly only: readonly string[];
  /** Settings were looked for that the file does not manage. */
  readonly takesAll: boolean;
  /** The parts of it of which the file manages nothing. */
  readonly notCompared: readonly string[];
  /** The values that differ and that --path does not name. */
  readonly leftOut: number;
  /** The call that would add them. */
  readonly adding: string;
}

export function pullText(
  pull: PullReport,
  outcome: Pick<Outcome, "files" | "diagnostics">,
  styles: Styles,
): string {
  const { file, into, pulled } = pull;
  const held = OUTCOMES.map((each) => ({
    ...each,
    values: pulled.filter(({ outcome }) => outcome === each.outcome),
  })).filter(({ values }) => values.length > 0);
  const rows = held.flatMap(({ mark, values }) => values.map((each) => row(mark, each)));
  const counts = held.map(({ words, values }) => words(values.length)).join(", ");
  const isWritten = held.some(({ outcome }) => outcome !== "left");
  return [
    ...(rows.length > 0
      ? [
          `${inColumns(rows, styles).join("\n")}\n`,
          `${styles.bold(`${oneLine(into)}: ${counts}.`)}\n`,
        ]
      : [agreementText(pull, styles)]),
    isWritten || file === into ? "" : `Nothing was written to ${oneLine(into)}.\n`,
    notComparedText(pull),
    leftOutText(pull.leftOut, "more value")
      .map((line) => `${line}\n`)
      .join(""),
    outcome.diagnostics.length > 0 ? `As it is now:\n\n${checkText(outcome, styles)}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

const OUTCOMES = [
  { outcome: "changed", mark: "~", words: (count: number) => `${counted(count, "value")} changed` },
  { outcome: "added", mark: "+", words: (count: number) => `${counted(count, "value")} added` },
  {
    outcome: "left",
    mark: "!",
    words: (count: number) => `${counted(count, "value")} not changed`,
  },
] as const;

function row(mark: string, { path, before, value, why, overrides }: PulledValue): [string, string] {
  const was = before === undefined ? "" : `${shownValue(before, 150)} → `;
  const over = overrides === undefined ? "" : `  overrides ${oneLine(overrides)}`;
  return [`  ${mark} ${formatPath(path)}`, why ?? `${was}${shownValue(value, 150)}${over}`];
}

function agreementText({ only, notCompared, takesAll }: PullReport, styles: Styles): string {
  const compared = only.filter((each) => !notCompared.includes(each));
  const isAny = only.length > 0 ? compared.length > 0 : notCompared.length === 0;
  if (!isAny) return "";
  const of = only.length > 0 ? ` in ${compared.map(oneLine).join(" and ")}` : "";
  const more = takesAll
    ? " Nothing to add: all settings that the file lacks have default values, or an installer set them."
    : "";
  return `${styles.green(`No differences${of}.`)}${more}\n`;
}

function notComparedText({ only, notCompared, adding }: PullReport): string {
  if (notCompared.length === 0) return "";
  const what = only.length > 0 ? `nothing of ${notCompared.map(oneLine).join(" or ")}` : "nothing";
  return `Not compared: the file manages ${what}. To add what the portal shows:\n  ${adding}\n`;
}
