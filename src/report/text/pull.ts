// What a pull did to a file → text for a terminal: each value, why others were left, and what was not looked at.
import type { Outcome } from "../../outcome.js";
import type { Json } from "../../json.js";
import { formatPath, type Path } from "../../settings.js";
import { shownValue } from "../model/difference.js";
import { inColumns } from "./layout.js";
import { type Paint } from "./paint.js";
import { counted, oneLine } from "../../text.js";
import { checkText } from "./diagnostic.js";

export interface PulledValue {
  readonly path: Path;
  readonly before?: Json;
  readonly value: Json;
  readonly outcome: "changed" | "added" | "left";
  readonly why?: string;
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
  /** The call that would add them. */
  readonly adding: string;
}

export function pullText(pull: PullReport, outcome: Outcome, paint: Paint): string {
  const { file, into, pulled } = pull;
  const of = (wanted: PulledValue["outcome"]) => pulled.filter((each) => each.outcome === wanted);
  const [changed, added, left] = [of("changed"), of("added"), of("left")];
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
  const isWritten = changed.length + added.length > 0;
  return [
    ...(counts.length > 0
      ? [
          `${inColumns(rows).join("\n")}\n`,
          `${paint.bold(`${oneLine(into)}: ${counts.join(", ")}.`)}\n`,
        ]
      : [agreementText(pull, paint)]),
    isWritten || file === into ? "" : `Nothing was written to ${oneLine(into)}.\n`,
    notComparedText(pull),
    outcome.diagnostics.length > 0 ? `As it is now:\n\n${checkText(outcome, paint)}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

function row(mark: string, { path, before, value, why }: PulledValue): [string, string] {
  const was = before === undefined ? "" : `${shownValue(before, 150)} → `;
  return [
    `  ${mark} ${oneLine(formatPath(path))}`,
    oneLine(why ?? `${was}${shownValue(value, 150)}`),
  ];
}

function agreementText({ file, only, notCompared, takesAll }: PullReport, paint: Paint): string {
  const compared = only.filter((each) => !notCompared.includes(each));
  const isAny = only.length > 0 ? compared.length > 0 : notCompared.length === 0;
  if (!isAny) return "";
  const of = only.length > 0 ? ` of ${compared.map(oneLine).join(" and ")}` : "";
  const more = takesAll
    ? " Nothing is to be added: the rest is as portals are shipped, or set by an installer."
    : "";
  return `${paint.green(`${oneLine(file)} says what the portal shows${of}.`)}${more}\n`;
}

function notComparedText({ file, only, notCompared, adding }: PullReport): string {
  if (notCompared.length === 0) return "";
  const what = only.length > 0 ? `nothing of ${notCompared.map(oneLine).join(" or ")}` : "nothing";
  return `Not compared: ${oneLine(file)} manages ${what}. To add what the portal shows:\n  ${adding}\n`;
}
