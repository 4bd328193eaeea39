// A desired-state file and the system that a pipeline is for → the pipeline's file in the repository.
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkFile } from "../../document/check/check-file.js";
import { readStateLine } from "../../document/check/state-line.js";
import { desiredOf } from "../../document/read/desired.js";
import { repositoryOf } from "../../document/read/repository.js";
import { nodeAt, toJson } from "../../document/read/tree.js";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage, type Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { DEFAULT_SIGN_IN_METHOD } from "../../sign-in.js";
import { oneLine, shellWord } from "../../text.js";
import type { Result } from "../command.js";
import { checkResult, done } from "../result/result.js";
import { fieldsOf, type Answers } from "./begun-file.js";
import { keptText, usualState } from "./state-choice.js";
import { PIPELINE_FILES, pipelineText, type PipelineKind } from "../../pipelines/pipeline.js";
import { alreadyThere, writeNew } from "../result/write-file.js";

/** Undefined where none was asked for; fails where one stands already. */
export function pipelineFor(path: string, io: Io, kind: PipelineKind | undefined) {
  if (!kind) return undefined;
  const root = repositoryOf(path) ?? dirname(path);
  const file = relative(root, path).replaceAll("\\", "/");
  const place = join(root, PIPELINE_FILES[kind]);
  const shown = relative(io.cwd, place);
  if (existsSync(place)) throw alreadyThere(shown, ", and put the two together by hand.");
  const write = ({ method, state }: Pick<Answers, "method" | "state">) => {
    // The variables that the method takes its secrets from.
    const variables = Object.values(fieldsOf(method)).flatMap(({ variable }) => variable ?? []);
    writeNew(place, shown, pipelineText(kind, { file, variables, state }));
  };
  return { shown, write };
}

/** For a file that is there already, which stays as it is. */
export async function pipelineBeside(
  file: string,
  pipeline: NonNullable<ReturnType<typeof pipelineFor>>,
  io: Io,
  wanted: string | undefined,
): Promise<Result> {
  const { root, diagnostics } = await checkFile(file, io);
  if (!root || hasErrors(diagnostics)) return checkResult("init", [file], diagnostics);
  const node = nodeAt(root, ["signIn", "method"]);
  const method = node && toJson(node);
  const { state: said } = desiredOf(file, root);
  if (wanted !== undefined) readStateLine(wanted, io);
  if (said !== undefined && wanted !== undefined && said !== wanted)
    throw saidOtherwise(file, said);
  const state = said ?? wanted ?? usualState(resolve(io.cwd, file));
  pipeline.write({ method: typeof method === "string" ? method : DEFAULT_SIGN_IN_METHOD, state });
  const advice = `\n${keptText(state)} Say so in "${file}":\n  state: ${state}\n`;
  const text = `Wrote ${oneLine(pipeline.shown)}.\n${said === undefined ? advice : ""}`;
  return done("init", { written: [pipeline.shown] }, () => text);
}

function saidOtherwise(file: string, said: string): Failure {
  return wrongUsage(
    `"${file}" says that its state is at "${said}", and the pipeline goes by that.`,
    `Leave "--state" out. To have it elsewhere, move it first:\n  lintel state move ${shellWord(file)} ADDRESS`,
  );
}
