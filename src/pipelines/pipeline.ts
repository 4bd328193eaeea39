// What a pipeline is about, how its portals sign in and where their states are → the pipeline that plans on a proposal, and applies after the merge and an approval.
import githubProgram from "../../generated/pipelines/github-portal.js";
import { azure } from "./azure/pipeline.js";
import { azureComment } from "./azure/comment.js";
import { githubComment } from "./github/comment.js";
import { github } from "./github/workflow.js";
import { gitlab } from "./gitlab/pipeline.js";
import type { Pipelined } from "./parts.js";

const SYSTEMS = { github, gitlab, azure };

export type PipelineKind = keyof typeof SYSTEMS;

/** Where each system looks for it, from the root of the repository. */
export const PIPELINE_FILES: Readonly<Record<PipelineKind, string>> = {
  gitlab: ".gitlab-ci.yml",
  azure: "azure-pipelines.yml",
  github: ".github/workflows/portal.yml",
};

export function pipelineText(kind: PipelineKind, pipelined: Pipelined): string {
  return `${SYSTEMS[kind](pipelined).join("\n")}\n`;
}

/** What a system wants beside it, by where it looks for it. */
export const FILES_BESIDE: Readonly<
  Record<PipelineKind, Readonly<Record<string, (pipelined: Pipelined) => string[]>>>
> = {
  gitlab: {},
  azure: { "azure-pipelines-comment.yml": azureComment },
  github: {
    ".github/workflows/portal-comment.yml": githubComment,
    ".github/workflows/portal.mjs": () => [
      "// What jobs of portal.yml and portal-comment.yml do in this repository, with bare Node; from lintel init.",
      ...githubProgram.trimEnd().split("\n"),
    ],
  },
};

export function textsBeside(kind: PipelineKind, pipelined: Pipelined): Record<string, string> {
  const made = Object.entries(FILES_BESIDE[kind]).map(([name, linesOf]) => [
    name,
    `${linesOf(pipelined).join("\n")}\n`,
  ]);
  return Object.fromEntries(made) as Record<string, string>;
}
