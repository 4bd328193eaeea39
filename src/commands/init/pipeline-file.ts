// Writes the pipeline of a CI system for desired-state files.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readStateLine } from "../../document/check/state-line.js";
import { repositoryOf } from "../../document/read/repository.js";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { listed, oneLine, shellWord, someOf } from "../../lib/text.js";
import type { Result } from "../command.js";
import { checkResult, done } from "../../cli/result.js";
import { factsOf, readFacts, type PortalFacts } from "../pipeline-facts.js";
import { branchFor } from "./state-choice.js";
import { branchIn } from "../../state-address/branch.js";
import { isBesideFile, isCron, isExpression } from "../../pipelines/pipelined.js";
import { filesOf, pipelineTexts, type PipelineKind } from "../../pipelines/pipeline.js";
import { defaultBranchOf } from "./default-branch.js";
import { packageFor } from "./package-address.js";
import { valuesReferredTo } from "./what-matters.js";
import { alreadyThere, writeNew } from "../../cli/write-file.js";
import type { Question } from "./answer.js";

type Pipeline = NonNullable<ReturnType<typeof pipelineFor>>;

/** The existing file, folder or pattern for a pipeline; undefined if a file has to be created, as `isNew` says. */
export function targetThere(named: string | undefined, isNew: boolean, io: Io): string | undefined {
  const usual = existsSync(join(io.cwd, "portal.yaml")) || isNew ? "portal.yaml" : "portals";
  const target = named ?? usual;
  const path = resolve(io.cwd, target);
  const stat = statOf(path);
  if (!stat?.isDirectory()) {
    const isPattern = !isNew && stat === undefined && /[*?[\]{}]/.test(target);
    return stat || isPattern ? target : undefined;
  }
  const names = isNew ? [] : readdirSync(path, { recursive: true, encoding: "utf8" });
  // Without an argument, "portals" is the target even if it is empty.
  return named === undefined || names.some((name) => /\.ya?ml$/.test(name)) ? target : undefined;
}

interface PipelineOptions {
  readonly ci?: PipelineKind | undefined;
  readonly package?: string | undefined;
  readonly minimal: boolean;
  readonly cron?: string | undefined;
}

/** Undefined without --ci. Fails if a pipeline exists already. */
export function pipelineFor(target: string, io: Io, options: PipelineOptions) {
  const { ci: kind, package: given, minimal: isMinimal } = options;
  if (!kind) {
    const flag = given === undefined ? "minimal" : "package";
    if (given === undefined && !isMinimal) return undefined;
    const help =
      "Name the CI system, for example:\n  lintel init --ci github --package ADDRESS#sha256=SUM";
    throw wrongUsage(`"--${flag}" needs "--ci".`, help);
  }
  if (isMinimal && kind !== "github") {
    throw wrongUsage('"--minimal" is for GitHub.', "Leave it out, or write:\n  --ci github");
  }
  if (isMinimal && options.cron) {
    throw wrongUsage(
      'The pipeline of "--minimal" has no clock.',
      'Leave out "--minimal" or "--cron".',
    );
  }
  const path = resolve(io.cwd, target);
  const repository = repositoryOf(path);
  const root = repository ?? (existsSync(path) ? dirname(path) : io.cwd);
  const meant = relative(root, path).split(sep).join("/") || ".";
  assertPlain(`"${oneLine(meant)}"`, meant, "Rename it, or name the folder above it.");
  const found = packageFor(given, root, io);
  const shownOf = (name: string) => relative(io.cwd, join(root, name));
  const unversioned = " This folder is in no git repository. Run git init before the first apply.";
  const names = filesOf(kind, isMinimal);
  const there = names.find((name) => existsSync(join(root, name)));
  if (there !== undefined)
    throw alreadyThere(shownOf(there), " or move it away, and merge the two by hand.");
  // Before anything is written: it may not be known.
  const branch = kind === "gitlab" ? "" : defaultBranchOf(io, root);
  const write = (portals: readonly PortalFacts[], cron: string) => {
    const paths = [...new Set(portals.flatMap((each) => each.paths ?? []))];
    const values = valuesReferredTo(paths, io);
    for (const [name, value] of values)
      assertPlain(`The variable ${name}`, value, "Write the value into the file.");
    const pipelined = {
      ...factsOf(portals, io),
      target: meant,
      package: found,
      values,
      branch,
      cron: cron || undefined,
    };
    const texts = pipelineTexts(kind, pipelined, isMinimal);
    for (const [name, text] of Object.entries(texts))
      writeNew(join(root, name), shownOf(name), text, io);
  };
  return {
    kind,
    isMinimal,
    meant: target,
    shown: names.map(shownOf),
    /** The command that the user runs next. */
    setup: `lintel ci setup --platform ${kind} --reviewer NAME`,
    warning: repository === undefined ? unversioned : "",
    write,
  };
}

/** Scheduled jobs sign in without an approval, so they are written only on request. */
export const CRON: Question = {
  flag: "cron",
  text: 'When to apply schedules and look for drift, in cron form such as "7 * * * *". Each run costs billed minutes, and signs in without an approval. Enter for never',
  check: (text) =>
    text === "" || isCron(text)
      ? undefined
      : 'Write five fields of digits, "*", "/", "-" and ",": minute, hour, day, month, weekday, in UTC.',
  byDefault: "",
};

function assertPlain(what: string, text: string, help: string): void {
  if (!isExpression(text)) return;
  const message = `${what} contains "\${{" or "$[", which a pipeline replaces.`;
  throw wrongUsage(message, help);
}

/** Writes a pipeline for existing files, and changes none of them. */
export async function pipelineBeside(
  target: string,
  pipeline: Pipeline,
  io: Io,
  {
    wanted,
    askCron,
  }: { readonly wanted: string | undefined; readonly askCron: () => Promise<string> },
): Promise<Result> {
  const usual = () => wanted ?? branchFor(pipeline.kind);
  const { files, diagnostics, portals } = await readFacts([target], io, usual);
  if (hasErrors(diagnostics)) return checkResult("init", files, diagnostics);
  if (wanted !== undefined) readStateLine(wanted, io);
  const other = portals.find(({ said }) => wanted !== undefined && (said ?? wanted) !== wanted);
  if (other?.said !== undefined) throw saidOtherwise(other.file, other.said);
  for (const { file, state } of portals)
    assertStateFits(pipeline.kind, file, state, pipeline.meant);
  pipeline.write(portals, await askCron());
  const silent = portals.filter(({ said }) => said === undefined);
  const [first] = silent;
  const names = someOf(
    silent.map(({ file }) => `"${oneLine(file)}"`),
    "file",
  );
  const [have, where] =
    silent.length > 1 ? ["have", "to each of them, or to their base"] : ["has", "to it"];
  const advice = first
    ? `\n${names} ${have} no "state:", so an apply in the pipeline would fail. Add ${where}:\n  state: ${first.state}\n`
    : "";
  const next = `To set up the platform, run the commands that \`${pipeline.setup}\` prints.`;
  const text = `Wrote ${listed(pipeline.shown)}. ${next}${pipeline.warning}\n${advice}`;
  return done("init", { written: pipeline.shown }, () => text);
}

/** The runner deletes its checkout. On Azure, the run of a pull request can push to the repository of the pipeline. */
export function assertStateFits(
  kind: PipelineKind,
  file: string,
  state: string,
  meant: string,
): void {
  const branch = branchIn(state);
  const isShared = kind === "azure" && branch !== undefined && !branch.remote;
  if (!isShared && !isBesideFile(state)) return;
  const why = isShared
    ? `in the repository of the pipeline (${state}). On Azure, the run of any pull request could push it`
    : `in a folder of the checkout (${state}), which is lost with the runner`;
  const first = isShared
    ? "az repos create --name portal-states\n  git remote add portal-states URL\n  "
    : "";
  const move = `lintel state move ${oneLine(shellWord(meant))} ${branchFor(kind)}`;
  throw wrongUsage(
    `"${oneLine(file)}" keeps its state ${why}.`,
    `Move the state, for example:\n  ${first}${move}`,
  );
}

function saidOtherwise(file: string, said: string): Failure {
  return wrongUsage(
    `"${file}" keeps its state at "${said}", and the pipeline uses it.`,
    `Remove "--state". To use another place, move the state first:\n  lintel state move ${shellWord(file)} ADDRESS`,
  );
}
