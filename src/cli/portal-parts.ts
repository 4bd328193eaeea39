// Combines the results of all portals into a command's result: one part each, and one exit status.
import { EXIT, type Exit } from "../failure.js";
import type { JsonObject } from "../lib/json.js";
import { groupBy } from "../lib/lists.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { rollUp, type NamedFolder } from "../outcome.js";
import { withFiles, withoutFile, type Naming } from "../report/group.js";
import { failureJson } from "../report/json-report.js";
import { failuresText, headsOf } from "../report/plan-report.js";
import type { Styles } from "../report/styles.js";
import { inColumns } from "../report/text-layout.js";
import { diagnosticsOf } from "../apply/each-portal.js";
import type { Member } from "../apply/portal-context.js";
import { resultWithoutPlan } from "../apply/portal-result.js";
import { counted } from "../lib/text.js";
import type { Result } from "../commands/command.js";
import { checkResult, problemsAbove } from "./result.js";

/** The result of one portal. */
export interface Part {
  readonly json: JsonObject;
  /** Defaults to done. */
  readonly exit?: Exit;
  text(styles: Styles): string;
  /** A common text for portals with equal keys, if their own texts would name individual values. */
  readonly shared?: { readonly key: string; text(styles: Styles, withNames: WithNames): string };
}

/** Inserts the names of files into a text without them. */
export type WithNames = (text: string) => string;

/** A part whose text is a table of two columns. */
export function partOf(json: JsonObject, rows: readonly (readonly [string, string])[]): Part {
  return { json, text: (styles) => `${inColumns(rows, styles).join("\n")}\n` };
}

interface About {
  readonly command: string;
  readonly files: readonly string[];
  /** The folders of the run, which suggested commands name instead of all their files. */
  readonly folders?: readonly NamedFolder[] | undefined;
  /** The portals that --only left out. If set, a single remaining portal is named, too. */
  readonly leftOut?: number | undefined;
  /** If they are not those of the files. */
  readonly diagnostics?: readonly Diagnostic[];
}

type Members = readonly Member<Part>[];

/** The document has a part for each portal, even for one. Equal results share their text. */
export function resultOfMembers(
  members: Members,
  { command, files, folders, ...about }: About,
): Result {
  const { diagnostics = diagnosticsOf(members) } = about;
  const outcome = {
    command,
    exit: rollUp(members.map(exitOf)),
    diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
    files,
    portals: members.map(jsonOf),
  };
  const failed = members.filter(({ failure }) => failure).length;
  const end = failed > 0 && members.length > 1 ? [`${failedText(failed, members.length)}\n`] : [];
  const text = (styles: Styles) =>
    problemsAbove(outcome, styles) +
    [...partTexts(members, styles, { folders }), ...end].join("\n");
  return { outcome, text };
}

/**
 * The same for a command that supported one portal first: the document also has the keys of a single portal, its text
 * has no heading unless --only selected it, and its failure fails the run.
 */
export function resultOfOneOrMany(members: Members, about: About): Result {
  const { command, files } = about;
  const [only, ...more] = members;
  if (!only || more.length > 0) return resultOfMembers(members, about);
  const { value, failure, diagnostics } = only;
  if (isBroken(only)) return checkResult(command, files, diagnostics);
  if (failure) throw failure;
  if (!value) throw new TypeError("a portal has neither a part nor a failure");
  const outcome = {
    command,
    exit: exitOf(only),
    diagnostics: about.diagnostics ?? [],
    files,
    portals: [jsonOf(only)],
    more: value.json,
  };
  const { folders } = about;
  return {
    outcome,
    text: (styles) =>
      about.leftOut ? partTexts(members, styles, { folders }).join("\n") : value.text(styles),
  };
}

function exitOf({ value, failure }: Member<Part>): Exit {
  return failure?.exit ?? value?.exit ?? EXIT.done;
}

function jsonOf(member: Member<Part>) {
  const { file, portal, value, failure } = member;
  const { name, url, id } = portal;
  const about = { name, url, id, file };
  const exitCode = exitOf(member);
  return { ...about, exitCode, ...value?.json, ...about, failure: failureJson(failure ?? null) };
}

/** Smallest groups first; failures last. */
function partTexts(members: Members, styles: Styles, naming: Naming): string[] {
  const narrower = { ...styles, width: styles.width - 2, messageWidth: styles.messageWidth - 2 };
  const done = members.flatMap(({ file, portal, value }) =>
    value ? [{ file, portal, value }] : [],
  );
  const alike = groupBy(
    done,
    ({ file, value }) => value.shared?.key ?? withoutFile(value.text(narrower), file),
  );
  const texts = [...alike.values()]
    .toSorted((one, other) => one.length - other.length)
    .map((group) => {
      const heads = headsOf(group, styles).map((line) => `${line}\n`);
      return heads.join("") + textOf(group, narrower, naming).replace(/^(?=.)/gm, "  ");
    });
  // Problems of files are shown above.
  const failed = members.filter((member) => member.failure && !isBroken(member));
  return [...texts, ...failuresText(failed.map(resultWithoutPlan), styles, naming)];
}

function textOf(
  group: readonly { readonly file: string; readonly value: Part }[],
  styles: Styles,
  naming: Naming,
): string {
  const [first, ...more] = group;
  if (!first) return "";
  const { file, value } = first;
  if (more.length === 0) return value.text(styles);
  const withNames = (text: string) => withFiles(text, group, naming);
  if (value.shared) return value.shared.text(styles, withNames);
  return withNames(withoutFile(value.text(styles), file));
}

/** Whether the file itself has errors. Diagnostics beside a result may be about other files. */
export function isBroken({ failure, diagnostics }: Member<unknown>): boolean {
  return failure?.code === "file-invalid" && hasErrors(diagnostics);
}

function failedText(failed: number, all: number): string {
  return `${counted(failed, "portal")} of ${all} failed.`;
}
