// A desired-state file and the system that a pipeline is for → the pipeline's file in the repository.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { checkFile } from "../../document/check/check-file.js";
import { desiredOf } from "../../document/read/desired.js";
import { repositoryOf } from "../../document/read/repository.js";
import { nodeAt, toJson } from "../../document/read/tree.js";
import { EXIT } from "../../failure.js";
import { hasErrors } from "../../diagnostic.js";
import type { Io } from "../../io.js";
import { outcomeOfCheck } from "../../outcome.js";
import { DEFAULT_STATE } from "../../state/open.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_METHODS, type SignInField } from "../../sign-in.js";
import { oneLine } from "../../text.js";
import type { Result } from "../command.js";
import { invalid } from "../call/one-file.js";
import { PIPELINE_FILES, pipelineText, type PipelineKind } from "../../pipelines/pipeline.js";
import { alreadyThere, writeNew } from "../result/write-file.js";

export interface PipelineFile {
  /** As people name it. */
  readonly shown: string;
  write(method: string): void;
}

/** Undefined where none was asked for; fails where one stands already. */
export function pipelineFor(
  path: string,
  io: Io,
  kind: PipelineKind | undefined,
): PipelineFile | undefined {
  if (!kind) return undefined;
  const root = repositoryOf(path) ?? dirname(path);
  const file = relative(root, path).replaceAll("\\", "/");
  const place = join(root, PIPELINE_FILES[kind]);
  const shown = relative(io.cwd, place);
  if (existsSync(place)) throw alreadyThere(shown, ", and put the two together by hand.");
  return {
    shown,
    write: (method) => writeNew(place, shown, pipelineText(kind, { file, variables: of(method) })),
  };
}

/** For a file that is there already, which stays as it is. */
export async function pipelineBeside(
  file: string,
  pipeline: PipelineFile,
  io: Io,
): Promise<Result> {
  const { root, diagnostics } = await checkFile(file, io);
  if (!root || hasErrors(diagnostics)) return invalid(outcomeOfCheck("init", [file], diagnostics));
  const node = nodeAt(root, ["signIn", "method"]);
  const method = node && toJson(node);
  pipeline.write(typeof method === "string" ? method : DEFAULT_SIGN_IN_METHOD);
  const { state } = desiredOf(file, root);
  const advice =
    state === undefined
      ? `The pipeline keeps what was applied in the repository. Say so in "${file}":\n  state: ${DEFAULT_STATE}\n`
      : "";
  return {
    outcome: {
      command: "init",
      exit: EXIT.done,
      diagnostics: [],
      more: { written: [pipeline.shown] },
    },
    text: () => `Wrote ${oneLine(pipeline.shown)}.\n${advice && `\n${advice}`}`,
  };
}

/** The variables that a method takes its secrets from. */
function of(method: string): string[] {
  const fields: Record<string, SignInField> =
    SIGN_IN_METHODS[method as keyof typeof SIGN_IN_METHODS];
  return Object.values(fields).flatMap(({ variable }) => variable ?? []);
}
