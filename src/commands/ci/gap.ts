// Says how long ago the last run by the clock began, and warns where runs were left out.
import type { Io } from "../../io.js";
import { showTime, zoneOf } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said, withPlatform } from "./with-platform.js";

const MINUTE_MS = 60_000;

export async function gap(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  const starts = await withPlatform(io, call, kind, (platform) => platform.clockRuns());
  const [last] = starts;
  if (last === undefined) return said("No run by the clock came before this one.");
  const since = io.now() - last;
  const usual = medianOf(starts.slice(1).map((each, at) => (starts[at] ?? each) - each));
  const at = showTime(new Date(last).toISOString(), zoneOf(io));
  const minutes = (ms: number) => `${Math.round(ms / MINUTE_MS)} min`;
  const sentence = `The last run by the clock began ${minutes(since)} ago, at ${at}.`;
  // After twice the usual time, at least one run was left out.
  if (usual === undefined || since <= 2 * usual) return said(sentence);
  const why = `It usually begins every ${minutes(usual)}: the platform left runs out, and windows may have opened or closed late.`;
  return said(`warning: ${sentence} ${why} To check portals on time, run \`lintel serve\`.`);
}

function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((low, high) => low - high);
  return sorted[Math.floor(sorted.length / 2)];
}
