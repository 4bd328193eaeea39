// Prints the commands that set a platform up for the pipeline of this repository. Runs none of them.
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { counted, oneLine } from "../../lib/text.js";
import { PIPELINE_FILES, type PipelineKind } from "../../pipelines/pipeline.js";
import { setupText } from "../../pipelines/setup.js";
import { branchFor } from "../init/state-choice.js";
import { factsOf, readFacts, writtenPipeline } from "../pipeline-facts.js";
import { checkResult } from "../../cli/result.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said } from "./with-platform.js";

export async function setup(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  const { reviewer: reviewers } = call.options;
  const written = writtenPipeline(io, kind);
  if (!written) {
    throw wrongUsage(
      `This repository has no ${PIPELINE_FILES[kind]}.`,
      `Write it first:\n  lintel init --ci ${kind} --package ADDRESS#sha256=SUM`,
    );
  }
  const known = kind === "azure" ? /^[\w.+-][\w.@+-]*(\/[\w.-]+)?$/ : /^[\w.-]+(\/[\w.-]+)?$/;
  const odd = reviewers.find((each) => !known.test(each));
  if (reviewers.length === 0 || odd !== undefined) {
    throw wrongUsage(
      odd === undefined
        ? "The reviewers are missing."
        : `"${oneLine(odd)}" is not the name of an account, a team or a group.`,
      `Name who approves: two people, or a team. The person who starts a run cannot approve it:\n  lintel ci setup --platform ${kind} --reviewer ada --reviewer bea`,
    );
  }
  const { files, portals, diagnostics } = await readFacts(call.operands, io, () => branchFor(kind));
  if (hasErrors(diagnostics)) return checkResult("ci", files, diagnostics);
  const facts = { ...factsOf(portals, io), ...written, files: filesOf(portals, io) };
  const text = setupText(kind, { ...facts, reviewers });
  const steps = text.match(/^# \d+\. /gm)?.length ?? 0;
  const head = `# ${counted(steps, "step")}. Nothing is run: paste one after the other.\n\n`;
  return said(`${head}${text.trimEnd()}`);
}

/** The files with their bases and policies, which a job needs, and the schemas beside them, for editors. */
function filesOf(portals: Awaited<ReturnType<typeof readFacts>>["portals"], { cwd }: Io): string[] {
  const files = portals.flatMap(({ paths = [] }) => paths.map((path) => relative(cwd, path)));
  const schemas = portals.flatMap(({ file }) => {
    const folder = dirname(file);
    const names = readdirSync(join(cwd, folder)).filter((name) => name.endsWith(".schema.json"));
    return names.map((name) => join(folder, name));
  });
  return [...new Set([...files, ...schemas])].toSorted();
}
