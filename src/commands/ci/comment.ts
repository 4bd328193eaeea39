// Writes the plan of each open pull request as one comment, found by its marker and updated.
import type { Io } from "../../io.js";
import { Failure } from "../../failure.js";
import { counted, headOf } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { markerOf, type Planned } from "../../pipelines/platform.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said, withPlatform } from "./with-platform.js";

export async function comment(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  const [folder] = call.operands;
  return withPlatform(io, call, kind, async (platform) => {
    const pulls = await platform.planned(folder);
    const lines: string[] = [];
    const failed: string[] = [];
    for (const pull of pulls) {
      try {
        lines.push(`${pull.name}: ${await write(pull, platform.longest)}.`);
      } catch (error) {
        if (!(error instanceof Failure) || error.code === "interrupted") throw error;
        failed.push(`${pull.name}: ${error.message}`);
      }
    }
    if (failed.length > 0) {
      const message = `${counted(failed.length, "comment")} could not be written. ${failed.join(" ")}`;
      throw new Failure("platform-refused", message, "Check the scopes of the token.");
    }
    return said(lines.join("\n") || "No open pull request has a finished run.");
  });
}

async function write(pull: Planned, longest: number): Promise<string> {
  const marker = markerOf("proposal");
  const { plan = "There is no plan: the run failed before it.", runUrl, commit } = pull;
  // Below the plan, and apart from it, because the plan may be cut in the middle of anything.
  const from = `[This run](${runUrl}) made it at ${commit.slice(0, 8)}. The pull request may have changed that run.`;
  const body = `${marker}\n${from}\n\n${headOf(plan, longest - marker.length - from.length - 3)}`;
  for (const each of await pull.comments(marker)) {
    if (each.body === body) return "the comment is up to date";
    if (await each.change(body)) return "the comment is updated";
  }
  await pull.write(body);
  return "the comment is written";
}
