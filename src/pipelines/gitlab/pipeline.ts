// What a pipeline is about, how its portals sign in and where their states are → a pipeline of GitLab.
import { INSTALL, plainVariables, type Pipelined } from "../parts.js";
import { CLOCK, driftJob } from "./clock.js";
import { withoutSecrets } from "./environment.js";
import { applyJob, planJob } from "./merged.js";
import { proposeJob } from "./proposed.js";
import { settingLines } from "./settings.js";

/** By digest, because a tag may be moved. It has git, which states on a branch need. */
const IMAGE =
  "node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4";

export function gitlab(pipelined: Pipelined): string[] {
  return [
    ...settingLines(pipelined),
    "stages: [propose, plan, apply, drift]",
    "",
    "default:",
    `  image: ${IMAGE}`,
    "  before_script:",
    "    # Without what is secret: only Lintel itself is to have that.",
    `    - ${withoutSecrets(pipelined)} ${INSTALL}`,
    "",
    "variables:",
    "  # All of the history, so that a checkout that is older than what was applied is known for one.",
    '  GIT_DEPTH: "0"',
    ...plainVariables(pipelined).flatMap(([name, value]) => [
      `  ${name}:`,
      `    value: ${value}`,
      "    expand: false",
    ]),
    "",
    ...proposeJob(pipelined),
    "",
    ...planJob(pipelined),
    "",
    ...applyJob(pipelined),
    "",
    ...CLOCK,
    "",
    ...driftJob(),
  ];
}
