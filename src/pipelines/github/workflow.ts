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
    "  # No path filter: a required check that never runs blocks the merge.",
    "  pull_request:",
    ...pushLines(pipelined),
    "  # A manual run does the same as a merge.",
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
    "# Plans on a pull request. After the merge to the default branch, plans again, waits for an approval, and applies",
    "# that plan. Opens and closes scheduled windows, and keeps an issue with changes made by hand.",
    ...beforeLines(pipelined, "the repository's settings"),
    "# - the environment portal, for the default branch only: this file can be changed on any other branch.",
    `#   Its secrets: ${secretsOf(pipelined).join(", ") || "none"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    "# - the environment portal-approval, with required reviewers (a private repository needs GitHub Enterprise). If it does",
    "#   not exist, GitHub creates it without reviewers, and nothing waits for an approval;",
    `# - the variable LINTEL_ALLOWED_HOSTS, no secret: ${hostsMeant(pipelined)}.`,
    ...placeLines(pipelined, ["# If rules protect all branches, exclude this one."]),
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
    "    # The files of the portals. If they refer to other files, add those paths.",
    "    paths:",
    ...[...patterns, ".github/workflows/portal.*"].map((each) => `      - ${JSON.stringify(each)}`),
  ];
}
