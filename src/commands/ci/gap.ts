// Warns where scheduled runs are missing since the last one that succeeded. Never stops a job.
import { appendFileSync } from "node:fs";
import { EXIT, Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { counted, showTime, zoneOf } from "../../lib/text.js";
import { runsBetween } from "../../pipelines/cron.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import type { Platform } from "../../pipelines/platform.js";
import { writtenPipeline } from "../pipeline-facts.js";

export async function warnOfGap(io: Io, platform: Platform, kind: PipelineKind): Promise<void> {
  const cron = writtenPipeline(io, kind)?.cron;
  const warning = cron === undefined ? undefined : await gapOf(io, platform, cron);
  if (warning === undefined) return;
  io.stderr.write(`warning: ${warning}\n`);
  // The page of the run shows both. GitLab has no such place.
  const { GITHUB_STEP_SUMMARY: summary } = io.env;
  if (kind === "github" && summary) appendFileSync(summary, `**Warning:** ${warning}\n`);
  if (kind === "azure")
    io.stdout.write(`##vso[task.logissue type=warning]${warning}\n`, "commands");
}

async function gapOf(io: Io, platform: Platform, cron: string): Promise<string | undefined> {
  try {
    const { last, current } = await platform.clockRuns();
    if (last === undefined) return undefined;
    const [lastMs, currentMs] = [Date.parse(last), Date.parse(current)];
    const missing = runsBetween(cron, lastMs, currentMs) - 1;
    if (missing < 1) return undefined;
    const [from, to] = [lastMs, currentMs].map((ms) =>
      showTime(new Date(ms).toISOString(), zoneOf(io)),
    );
    return `No run of the clock succeeded between ${from} and ${to}. The cron "${cron}" asks for ${counted(missing, "run")} in that time. Look for runs that failed. Platforms also delay and skip runs, and GitHub disables the cron of a public repository after 60 days without a commit.`;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.refused) throw error;
    return `The last run of the clock is not known. ${error.message}`;
  }
}
