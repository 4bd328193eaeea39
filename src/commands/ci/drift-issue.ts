// Keeps one issue about drift: opens it, updates it, and closes it when no drift is left. Warns of skipped runs, too.
import { join } from "node:path";
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { digestOfText } from "../../lib/digest.js";
import { isJsonObject, parseJson, pointInto } from "../../lib/json.js";
import { headOf } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { reportText } from "../../pipelines/report-file.js";
import { inert, type Platform } from "../../pipelines/platform.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { DRIFT_JSON, DRIFT_TEXT } from "./clock.js";
import { warnOfGap } from "./gap.js";
import { said, withPlatform } from "./with-platform.js";

/** Shorter than any platform's longest issue. */
const LONGEST = 60_000;
const NONE_LEFT = "No drift is left.";

export async function driftIssue(io: Io, call: CiArguments, kind: PipelineKind): Promise<Result> {
  const [folder] = call.operands;
  if (folder === undefined) {
    throw wrongUsage(
      "The folder is missing.",
      `Name the one that \`lintel ci clock\` wrote:\n  lintel ci drift-issue drift --platform ${kind}`,
    );
  }
  const drift = driftIn(reportText(io, join(folder, DRIFT_JSON)));
  const text = reportText(io, join(folder, DRIFT_TEXT));
  const sentence = await withPlatform(io, call, kind, async (platform) => {
    await warnOfGap(io, platform, kind);
    if (drift === "none") return close(platform);
    if (drift === "some" && text !== undefined)
      return report(platform, headOf(inert(text), LONGEST));
    // Silence about a portal that could not be read must not look like "no drift".
    return "Not every portal could be read, so the issue stays as it is.";
  });
  return said(sentence);
}

function driftIn(text: string | undefined): "some" | "none" | "unknown" {
  const json = text === undefined ? undefined : parseJson(text);
  const portals = json === undefined ? undefined : pointInto(json, ["portals"]);
  const isChanged = (each: unknown) => isJsonObject(each) && each["status"] === "changes";
  if (Array.isArray(portals) && portals.some(isChanged)) return "some";
  return isJsonObject(json) && json["exitCode"] === 0 ? "none" : "unknown";
}

async function report({ issues }: Platform, text: string): Promise<string> {
  const mark = digestOfText(text).slice(0, 12);
  const issue = await issues.find();
  // A person who closed it with this in it has seen it.
  if (issue?.body.includes(mark)) return `Issue ${issue.name} shows this drift already.`;
  await issues.write(issue, { mark, text }, true);
  if (!issue) return "There is drift. An issue is opened.";
  return `Issue ${issue.name} is ${issue.isOpen ? "updated" : "opened again"}.`;
}

/** Also a closed one is rewritten: the same drift is no longer acknowledged once it was repaired. */
async function close({ issues }: Platform): Promise<string> {
  const issue = await issues.find();
  if (!issue || (!issue.isOpen && issue.body.includes(NONE_LEFT))) return "There is no drift.";
  await issues.write(issue, { mark: "", text: NONE_LEFT }, false);
  return `There is no drift. Issue ${issue.name} is ${issue.isOpen ? "" : "still "}closed.`;
}
