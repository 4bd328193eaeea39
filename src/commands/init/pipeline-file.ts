// Writes the pipeline of a CI system for desired-state files.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { checkFile } from "../../document/check/check-file.js";
import { readStateLine } from "../../document/check/state-line.js";
import { findFiles } from "../../document/find.js";
import { desiredOf } from "../../document/read/desired.js";
import { repositoryOf } from "../../document/read/repository.js";
import { nodeAt, textOf, toJson } from "../../document/read/tree.js";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import { statOf } from "../../lib/files.js";
import { entryFor, originOf } from "../../hosts.js";
import type { Io } from "../../io.js";
import { DEFAULT_SIGN_IN_METHOD } from "../../sign-in.js";
import { DEFAULT_STATE, stateHostOf } from "../../state-address/kinds.js";
import { listed, oneLine, shellWord, someOf } from "../../lib/text.js";
import type { Result } from "../command.js";
import { checkResult, done } from "../../cli/result.js";
import { fieldsOf } from "./begun-file.js";
import { placeText, usualFor } from "./state-choice.js";
import { isBesideFile, isExpression } from "../../pipelines/parts.js";
import {
  FILES_BESIDE,
  PIPELINE_FILES,
  pipelineText,
  textsBeside,
  type PipelineKind,
} from "../../pipelines/pipeline.js";
import { defaultBranchOf } from "./default-branch.js";
import { packageFor } from "./package-address.js";
import { placesThatMatter, policyPaths, valuesReferredTo } from "./what-matters.js";
import { alreadyThere, writeNew } from "../../cli/write-file.js";

/** The facts of a file that its pipeline depends on. */
interface Portal {
  readonly method: string;
  readonly state: string;
  /** The file, its bases and its policies. */
  readonly paths?: readonly string[];
  /** Of the portal, and of its sign-in. */
  readonly url?: string | undefined;
  readonly signInUrl?: string | undefined;
}

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

/** Undefined without --ci. Fails if a pipeline exists already. */
export function pipelineFor(
  target: string,
  io: Io,
  {
    ci: kind,
    package: given,
  }: { readonly ci?: PipelineKind | undefined; readonly package?: string | undefined },
) {
  if (!kind) {
    if (given === undefined) return undefined;
    const help = "Name the CI system, for example:\n  lintel init --ci github --package ADDRESS";
    throw wrongUsage('"--package" needs "--ci".', help);
  }
  const path = resolve(io.cwd, target);
  const repository = repositoryOf(path);
  const root = repository ?? (existsSync(path) ? dirname(path) : io.cwd);
  const meant = relative(root, path).split(sep).join("/") || ".";
  assertPlain(`"${oneLine(meant)}"`, meant, "Rename it, or name the folder above it.");
  const address = given === undefined ? undefined : packageFor(given, root, io);
  const shownOf = (name: string) => relative(io.cwd, join(root, name));
  const main = oneLine(shownOf(PIPELINE_FILES[kind]));
  const lacking = ` Set LINTEL_PACKAGE there to the address of the Lintel package; until then its jobs fail.`;
  const unversioned = " This folder is in no git repository. Run git init before the first apply.";
  const names = [PIPELINE_FILES[kind], ...Object.keys(FILES_BESIDE[kind])];
  const there = names.find((name) => existsSync(join(root, name)));
  if (there !== undefined) throw alreadyThere(shownOf(there), ", and merge the two by hand.");
  const write = (portals: readonly Portal[]) => {
    const fields = portals.flatMap(({ method }) => Object.values(fieldsOf(method)));
    const paths = [...new Set(portals.flatMap((each) => each.paths ?? []))];
    const values = valuesReferredTo(paths, io);
    for (const [name, value] of values)
      assertPlain(`The variable ${name}`, value, "Write the value into the file.");
    const pipelined = {
      target: meant,
      ...(address !== undefined && { package: address }),
      variables: [...new Set(fields.flatMap(({ variable }) => variable ?? []))],
      states: [...new Set(portals.map(({ state }) => state))],
      values,
      places: placesThatMatter(root, meant, paths),
      branch: defaultBranchOf(io, root),
      hosts: hostsOf(portals, io),
    };
    const texts = {
      [PIPELINE_FILES[kind]]: pipelineText(kind, pipelined),
      ...textsBeside(kind, pipelined),
    };
    for (const [name, text] of Object.entries(texts))
      writeNew(join(root, name), shownOf(name), text, io);
  };
  /** The place of states for files without "state:". */
  const usual = () => usualFor(kind, path, io);
  return {
    kind,
    meant: target,
    shown: names.map(shownOf),
    /** What the user still has to do. */
    next: ` The first lines of ${main} list what to set.${address === undefined ? lacking : ""}${repository === undefined ? unversioned : ""}`,
    write,
    usual,
  };
}

/** Hosts that come from references have to be listed by hand. */
function hostsOf(portals: readonly Portal[], { env }: Io): string[] {
  const addresses = portals.flatMap(({ url, signInUrl, state }) => [
    ...[url, signInUrl].map((each) => (each && URL.canParse(each) ? new URL(each) : undefined)),
    stateHostOf(state, env),
  ]);
  const plain = addresses.filter((each) => each && !originOf(each).includes("$"));
  return [...new Set(plain.flatMap((each) => (each ? entryFor(each) : [])))].toSorted();
}

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
  wanted: string | undefined,
): Promise<Result> {
  const files = await findFiles([target], io.cwd);
  const checked = await Promise.all(
    files.map(async (file) => ({ ...(await checkFile(file, io)), file })),
  );
  const diagnostics = checked.flatMap((each) => each.diagnostics);
  if (hasErrors(diagnostics)) return checkResult("init", files, diagnostics);
  if (wanted !== undefined) readStateLine(wanted, io);
  const usual = pipeline.usual();
  const portals = checked.flatMap(({ file, root, paths }) => {
    if (!root) return [];
    const node = nodeAt(root, ["signIn", "method"]);
    const method = node && toJson(node);
    const { state: said } = desiredOf(file, root);
    const hasStates = existsSync(
      resolve(io.cwd, dirname(file), DEFAULT_STATE.replace("file:", "")),
    );
    if (said !== undefined && wanted !== undefined && said !== wanted)
      throw saidOtherwise(file, said);
    return {
      file,
      said,
      method: typeof method === "string" ? method : DEFAULT_SIGN_IN_METHOD,
      state: said ?? (hasStates ? DEFAULT_STATE : (wanted ?? usual)),
      paths: [...paths, ...policyPaths(root)],
      url: textOf(nodeAt(root, ["portal", "url"])),
      signInUrl: textOf(nodeAt(root, ["signIn", "url"])),
    };
  });
  for (const { file, state } of portals) assertOutlivesRunner(file, state, pipeline);
  pipeline.write(portals);
  const silent = portals.filter(({ said }) => said === undefined);
  const [first] = silent;
  const names = someOf(
    silent.map(({ file }) => `"${oneLine(file)}"`),
    "file",
  );
  const [have, where] =
    silent.length > 1 ? ["have", "to each of them, or to their base"] : ["has", "to it"];
  const advice = first
    ? `\n${names} ${have} no "state:", so an apply in the pipeline would fail. Add ${where}:\n  state: ${first.state}\n${placeText(first.state, pipeline.kind).replace(/^ (.*)/, "$1\n")}`
    : "";
  const text = `Wrote ${listed(pipeline.shown)}.${pipeline.next}\n${advice}`;
  return done("init", { written: pipeline.shown }, () => text);
}

/** The runner deletes its checkout, and may not push to a protected branch. */
export function assertOutlivesRunner(
  file: string,
  state: string,
  { meant, usual }: Pick<Pipeline, "meant" | "usual">,
): void {
  if (!isBesideFile(state)) return;
  const place = usual();
  throw wrongUsage(
    `"${oneLine(file)}" keeps its state in a folder of the checkout (${state}), which is lost with the runner.`,
    `Move the state, for example:\n  lintel state move ${oneLine(shellWord(meant))} ${oneLine(shellWord(place))}`,
  );
}

function saidOtherwise(file: string, said: string): Failure {
  return wrongUsage(
    `"${file}" keeps its state at "${said}", and the pipeline uses it.`,
    `Remove "--state". To use another place, move the state first:\n  lintel state move ${shellWord(file)} ADDRESS`,
  );
}
