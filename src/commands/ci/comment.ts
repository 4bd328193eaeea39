// Writes the plan of each open pull request as one comment, found by its marker and updated.
import type { Io } from "../../io.js";
import { Failure } from "../../failure.js";
import { counted, headOf } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { inert, markerOf, type Planned } from "../../pipelines/platform.js";
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
        const wrote = await write(pull, platform.longest);
        if (wrote !== undefined) lines.push(`${pull.name}: ${wrote}.`);
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

/** Undefined where no run has ended. */
async function write(pull: Planned, longest: number): Promise<string | undefined> {
  const marker = markerOf("proposal");
  const run = await pull.run();
  if (!run) return undefined;
  const { plan = "There is no plan: the run failed before it.", url, commit } = run;
  // Below the plan, and apart from it, because the plan may be cut in the middle of anything.
  const from = `[This run](${url}) made it at ${commit.slice(0, 8)}. The pull request may have changed that run.`;
  const body = `${marker}\n${from}\n\n${headOf(inert(plan), longest - marker.length - from.length - 3)}`;
  for (const each of await pull.comments(marker)) {
    if (each.body === body) return "the comment is up to date";
    if (await each.change(body)) return "the comment is updated";
  }
  await pull.write(body);
  return "the comment is written";
}
