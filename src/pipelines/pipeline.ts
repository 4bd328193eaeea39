// A desired-state file and how it signs in → the pipeline that plans on a proposal and applies after the merge.
import { github } from "./github.js";
import { gitlab } from "./gitlab.js";
import type { Pipelined } from "./parts.js";

export type PipelineKind = "github" | "gitlab";

/** Where each system looks for it, from the root of the repository. */
export const PIPELINE_FILES: Readonly<Record<PipelineKind, string>> = {
  gitlab: ".gitlab-ci.yml",
  github: ".github/workflows/portal.yml",
};

export function pipelineText(kind: PipelineKind, pipelined: Pipelined): string {
  const lines = kind === "github" ? github(pipelined) : gitlab(pipelined);
  return `${lines.join("\n")}\n`;
}
