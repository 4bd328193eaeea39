// What a pipeline is about → what people have to set in the project's settings of GitLab, as comments.
import { stateKindOf } from "../../state-address/kinds.js";
import { beforeLines, hostsMeant, placeLines, secretsOf, STATE_KEY } from "../parts.js";
import type { Pipelined } from "../parts.js";

/** Above the pipeline itself. */
export function settingLines(pipelined: Pipelined): string[] {
  return [
    "# Plans on a merge request; plans again after the merge to the default branch, waits until somebody starts the",
    "# apply, and applies just that plan; by the clock opens and closes windows, and keeps one issue about drift.",
    "# For GitLab 16.11 or later.",
    ...beforeLines(pipelined, "the project's settings"),
    "# - variables, each one masked, protected, and for the environments portal/*, so that no other job has them, and none",
    "#   of a branch that is not protected, as the default one is to be:",
    `#   ${secretsOf(pipelined).join(", ") || "none"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    `# - the variable LINTEL_ALLOWED_HOSTS, no secret: ${hostsMeant(pipelined)};`,
    "#   not protected, for proposals to look;",
    "# - the environment portal/apply as a protected one, with those who approve as allowed to deploy. Where GitLab has",
    "#   none (they come with Premium), whoever may merge into the default branch may start the apply;",
    "# - a pipeline schedule for the default branch, such as every quarter of an hour;",
    "# - for the issue about drift the variable LINTEL_ISSUES_TOKEN, masked, protected, and for the environment",
    "#   portal-issues: a project access token with the role Reporter and the scope api.",
    ...keepingLines(pipelined),
  ];
}

function keepingLines(pipelined: Pipelined): string[] {
  const branch = [
    "# Settings > CI/CD > Job token permissions: allow Git push requests to the repository (GitLab 17.2 or later).",
  ];
  const isAtServer = pipelined.states.some((state) => stateKindOf(state) === "http");
  const server = [
    "# TF_HTTP_USERNAME (any name) and TF_HTTP_PASSWORD are a project access token with the role of a Maintainer, who alone",
    "# may write states that GitLab keeps, and the scope api. A proposal reads them with its job's own token.",
  ];
  return [...placeLines(pipelined, branch), ...(isAtServer ? server : [])];
}
