// Makes a command's result of what became of each portal: a part for each, one exit status.
import { EXIT, type Exit } from "../failure.js";
import type { JsonObject } from "../lib/json.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { rollUp, type NamedFolder } from "../outcome.js";
import { filesOf, namesOf, type Naming } from "../report/group.js";
import { failureJson } from "../report/json-report.js";
import { titleOf } from "../report/plan-report.js";
import { failureText } from "../report/problem-text.js";
import type { Styles } from "../report/styles.js";
import { inColumns, sentenceLines } from "../report/text-layout.js";
import { diagnosticsOf } from "../apply/each-portal.js";
import type { Member } from "../apply/portal-context.js";
import { counted } from "../lib/text.js";
import type { Result } from "../commands/command.js";
import { checkResult, problemsAbove } from "./result.js";

/** What became of one portal. */
export interface Part {
  readonly json: JsonObject;
  /** Done, when left out. */
  readonly exit?: Exit;
  text(paint: Styles): string;
  /** The same for several whose keys are equal, where the words of one would name what is its own; `files` is for commands. */
  readonly shared?: { readonly key: string; text(paint: Styles, files: string): string };
}

/** A part whose text are pairs, to stand in columns. */
export function partOf(json: JsonObject, rows: readonly (readonly [string, string])[]): Part {
  return { json, text: (paint) => `${inColumns(rows, paint).join("\n")}\n` };
}

interface About {
  readonly command: string;
  readonly files: readonly string[];
  /** Those that the run names, and commands name in place of all their files. */
  readonly folders?: readonly NamedFolder[] | undefined;
  /** Where they are not those of the files. */
  readonly diagnostics?: readonly Diagnostic[];
}

type Members = readonly Member<Part>[];

/** Every portal has its part in the document, be it one or many; those that ended alike share the words. */
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
  const text = (paint: Styles) =>
    problemsAbove(outcome, paint) + [...together(members, paint, { folders }), ...end].join("\n");
  return { outcome, text };
}

/**
 * The same for a command that had one portal: the keys of that portal stand in the document too, nothing stands above its
 * text, and its failure fails the run.
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
  return { outcome, text: (paint) => value.text(paint) };
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

/** What differs first. */
function together(members: Members, paint: Styles, naming: Naming): string[] {
  const alike = new Map<string, Member<Part>[]>();
  const narrower = { ...paint, width: paint.width - 2, messageWidth: paint.messageWidth - 2 };
  const textOf = (each: Member<Part>) => {
    if (each.value) return indented(each.value.text(narrower));
    return each.failure ? failureText(each.failure, paint) : "";
  };
  // What is wrong with a file stands above.
  for (const each of members.filter((member) => !isBroken(member))) {
    const key = each.value?.shared?.key ?? textOf(each);
    const group = alike.get(key);
    if (group) group.push(each);
    else alike.set(key, [each]);
  }
  return [...alike.values()]
    .toSorted((one, other) => one.length - other.length)
    .map((group) => {
      const [first] = group;
      const shared = group.length > 1 ? first?.value?.shared : undefined;
      const text = shared
        ? indented(shared.text(narrower, filesOf(group, naming)))
        : first
          ? textOf(first)
          : "";
      return headOf(group, paint) + text;
    });
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function headOf(group: Members, paint: Styles): string {
  const [only, ...more] = group;
  if (only && more.length === 0) return `${titleOf(only, paint)}\n`;
  const names = `${counted(group.length, "portal")}: ${namesOf(group)}`;
  return sentenceLines(names, paint.bold, "", paint)
    .map((line) => `${line}\n`)
    .join("");
}

/** The file itself is wrong; a file that the work came upon may be as well, which is another's. */
export function isBroken({ failure, diagnostics }: Member<unknown>): boolean {
  return failure?.code === "file-invalid" && hasErrors(diagnostics);
}

function failedText(failed: number, all: number): string {
  return `${counted(failed, "portal")} of ${all} failed.`;
}
