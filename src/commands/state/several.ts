// The states of many portals, each with what was found of it or what failed → the result of an action that takes many files.
import { EXIT } from "../../failure.js";
import { printJson, type JsonObject } from "../../json.js";
import { rollUp } from "../../outcome.js";
import { failureJson } from "../../report/data/json.js";
import { failureText } from "../../report/text/diagnostic.js";
import { inColumns } from "../../report/text/layout.js";
import type { Paint } from "../../report/text/paint.js";
import { titleOf } from "../../report/text/portals/portal.js";
import { diagnosticsOf } from "../../run/fleet.js";
import type { Member } from "../../run/reachable.js";
import type { Result } from "../command.js";
import { problemsAbove } from "../result/result.js";

/** What became of one portal's state. */
export interface Finding {
  readonly json: JsonObject;
  /** To stand in columns below the portal's name. */
  readonly rows: readonly (readonly [name: string, text: string])[];
}

export function resultOfStates(
  files: readonly string[],
  members: readonly Member<Finding>[],
): Result {
  const outcome = {
    command: "state",
    exit: rollUp(members.map(({ failure }) => failure?.exit ?? EXIT.done)),
    diagnostics: diagnosticsOf(members),
    files,
    portals: members.map((each) => () => printJson(jsonOf(each), 2)),
  };
  const text = (paint: Paint) =>
    problemsAbove(outcome, paint) + members.map((each) => textOf(each, paint)).join("\n");
  return { outcome, text };
}

function jsonOf({ file, portal, value, failure }: Member<Finding>) {
  const { name, url, id } = portal;
  const exitCode = failure?.exit ?? EXIT.done;
  return { name, url, id, file, exitCode, ...value?.json, failure: failureJson(failure ?? null) };
}

function textOf(member: Member<Finding>, paint: Paint): string {
  const { value, failure } = member;
  const rows = value?.rows.map(([name, text]) => [`  ${name}`, text] as const) ?? [];
  const told = failure && failure.code !== "file-invalid" ? failureText(failure, paint) : "";
  return `${[titleOf(member, paint), ...inColumns(rows, paint)].join("\n")}\n${told}`;
}
