// Says how long ago the last run by the clock began: platforms leave runs out. Informs, and never stops a job.
import type { Io } from "../../io.js";
import { EXIT, Failure } from "../../failure.js";
import { showTime, zoneOf } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said, withPlatform } from "./with-platform.js";

export async function gap(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  try {
    return await withPlatform(io, call, kind, async (platform) => {
      const last = await platform.lastClockRun();
      if (last === undefined) return said("No run by the clock came before this one.");
      const at = showTime(new Date(last).toISOString(), zoneOf(io));
      const minutes = Math.round((io.now() - last) / 60_000);
      return said(`The last run by the clock began ${minutes} min ago, at ${at}.`);
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.refused) throw error;
    return said(`warning: The last run by the clock is not known. ${error.message}`);
  }
}
