// Lists the jobs that gitlab-ci-local would run of a GitLab pipeline, by its own reading of schema and rules.
import { createRequire } from "node:module";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { gitEnvironment, run } from "../state/repositories.js";
import { folderOf, PROJECT, runProgram } from "../support/run.js";

interface Happened {
  /** What GitLab calls the source of the pipeline. */
  readonly source?: string;
}

/** Each job with "manual" behind it where somebody has to start it; or what is wrong with the file. */
export async function jobsOf(
  text: string,
  { source = "push" }: Happened = {},
): Promise<{ readonly jobs: readonly string[]; readonly wrong: readonly string[] }> {
  const folder = folderOf({ ".gitlab-ci.yml": text });
  onTestFinished(() => folder.remove());
  const git = (...words: string[]) => run(folder.path, gitEnvironment(folder.path), words);
  const as = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(...as, "commit", "--quiet", "--message", "First");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  const main = createRequire(import.meta.url).resolve("gitlab-ci-local");
  const newer = join(PROJECT, "test/pipelines/newer-sets.cjs");
  const words = ["--require", newer, main, "--list-csv", `--variable=CI_PIPELINE_SOURCE=${source}`];
  const ran = await runProgram(process.execPath, words, { cwd: folder.path });
  if (ran.exit !== 0) return { jobs: [], wrong: [ran.stdout + ran.stderr] };
  const rows = ran.stdout.split("\n").map((line) => line.split(";"));
  const first = rows.findIndex(([name]) => name === "name");
  const jobs = rows.slice(first + 1).flatMap(([name = "", , when]) => {
    if (name === "") return [];
    return when === "manual" ? `${name} manual` : name;
  });
  return { jobs, wrong: [] };
}
