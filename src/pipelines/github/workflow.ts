// What a pipeline is about, how its portals sign in and where their states are → a workflow of GitHub.
import {
  beforeLines,
  hostsMeant,
  placeLines,
  plainVariables,
  secretsOf,
  STATE_KEY,
  type Pipelined,
} from "../parts.js";
import { clockJob, driftJob, HOURLY, OFTEN } from "./clock.js";
import { applyJob, approveJob, planJob } from "./merged.js";
import { proposeJob, scanJob } from "./proposed.js";

export function github(pipelined: Pipelined): string[] {
  return [
    ...headLines(pipelined),
    "name: portal",
    "",
    "on:",
    "  # All of them: a check that is required would be waited for where a filter left it out.",
    "  pull_request:",
    ...pushLines(pipelined),
    "  # By hand, which is as after a merge.",
    "  workflow_dispatch:",
    "  schedule:",
    `    - cron: "${OFTEN}"`,
    `    - cron: "${HOURLY}"`,
    "",
    "permissions:",
    "  contents: read",
    "",
    "env:",
    ...plainVariables(pipelined).map(([name, value]) => `  ${name}: ${value}`),
    "  LINTEL_ALLOWED_HOSTS: ${{ vars.LINTEL_ALLOWED_HOSTS }}",
    "  LINTEL_POLICY: ${{ vars.LINTEL_POLICY }}",
    "",
    "jobs:",
    ...proposeJob(pipelined),
    "",
    ...scanJob(),
    "",
    ...planJob(pipelined),
    "",
    ...approveJob(),
    "",
    ...applyJob(pipelined),
    "",
    ...clockJob(pipelined),
    "",
    ...driftJob(),
  ];
}

function headLines(pipelined: Pipelined): string[] {
  return [
    "# Plans on a pull request; plans again after the merge to the default branch, waits for an approval, and applies",
    "# just that plan; opens and closes windows by the clock, and keeps an issue of what somebody changed by hand.",
    ...beforeLines(pipelined, "the repository's settings"),
    "# - the environment portal, for the default branch alone, because whoever may push a branch may change this file there.",
    `#   Its secrets: ${secretsOf(pipelined).join(", ") || "none"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    "# - the environment portal-approval, with those who approve as required reviewers (for a private repository that takes",
    "#   GitHub Enterprise): GitHub makes one that is not there, without any, and then nothing waits;",
    `# - the variable LINTEL_ALLOWED_HOSTS, no secret: ${hostsMeant(pipelined)}.`,
    ...placeLines(pipelined, ["# Where rules protect every branch, leave that one out."]),
  ];
}

/** The root of the repository leaves nothing out. */
function pushLines({ places }: Pipelined): string[] {
  if (places.includes("")) return ["  push:"];
  // To a filter these letters are a pattern.
  const escaped = (place: string) => place.replace(/[\\*?+[\]!]/g, "\\$&");
  const patterns = places.map((place) =>
    place.endsWith("/") ? `${escaped(place)}**` : escaped(place),
  );
  return [
    "  push:",
    "    # What the portals are made of. Where they come to refer to files elsewhere, those belong here, too.",
    "    paths:",
    ...[...patterns, ".github/workflows/portal.*"].map((each) => `      - ${JSON.stringify(each)}`),
  ];
}
