// Shows a Markdown report on the page of a run.
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { reasonOf } from "../../lib/files.js";
import { shellWord } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { needed } from "../../pipelines/platform.js";
import { reportText } from "../../pipelines/report-file.js";
import { said } from "./with-platform.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";

export async function summary(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  const [file] = call.operands;
  if (file === undefined) {
    const help = "Name it:\n  lintel ci summary plan.md --platform github";
    throw wrongUsage("One Markdown report is needed.", help);
  }
  const text = reportText(io, file);
  if (text === undefined) {
    return said(`There is no report at ${shellWord(file)}.`);
  }
  if (call.options["dry-run"]) return said(text);
  if (kind === "gitlab") throw wrongUsage("GitLab shows no reports with a run.");
  return SHOW[kind](io, file, text);
}

type Show = (io: Io, file: string, text: string) => Result;

const SHOW: Readonly<Record<Exclude<PipelineKind, "gitlab">, Show>> = {
  github(io, _, text) {
    const path = needed(io.env, "GITHUB_STEP_SUMMARY");
    try {
      appendFileSync(path, text);
    } catch (error) {
      const why = reasonOf(error) ?? String(error);
      throw new Failure("not-writable", `Cannot write the summary of the job: ${why}.`);
    }
    return said("The report is on the page of the run.");
  },
  /** The agent reads these lines, and the report from its file. */
  azure(io, file) {
    const path = resolve(io.cwd, file);
    if (/\p{Cc}/u.test(path)) throw wrongUsage(`The agent cannot read ${shellWord(file)}.`);
    const attempt = Number(io.env["SYSTEM_JOBATTEMPT"] ?? 1);
    const lines = [
      `##vso[task.uploadsummary]${path}`,
      `##vso[task.addattachment type=lintel-plan;name=plan-${attempt}]${path}`,
    ];
    // These are Lintel's own, and hold nothing that others wrote.
    for (const line of lines) io.stdout.write(`${line}\n`, "commands");
    return said("The report is on the page of the run.");
  },
};
