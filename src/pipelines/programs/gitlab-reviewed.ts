// The message of a merge → on standard output the digest of the changes that its merge request showed; nothing where nobody can tell.
import { Refused, textFrom } from "./call.js";

const { CI_API_V4_URL, CI_PROJECT_ID, CI_JOB_TOKEN = "", CI_COMMIT_MESSAGE = "" } = process.env;

/** GitLab's own words for it, at the end of what it writes into a merge. */
const MERGED = /^See merge request .*!(\d+)$/m;

/** Nothing else is taken over of what the proposal's job has made. */
const DIGEST = /^Digest of the changes: `([0-9a-f]{12}-[0-9a-f]{12})`$/m;

/** No plan is longer. */
const LONGEST = 70_000;

/** A pipeline of merged results has a name of its own. */
const KINDS = ["head", "merge"];

async function plannedOf(number: string, kind: string): Promise<string> {
  const ref = encodeURIComponent(`refs/merge-requests/${number}/${kind}`);
  const path = `/projects/${CI_PROJECT_ID}/jobs/artifacts/${ref}/raw/plan.md?job=propose`;
  try {
    return await textFrom(`${CI_API_V4_URL}${path}`, { "job-token": CI_JOB_TOKEN }, LONGEST);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== 404) process.stderr.write(`${error.message}\n`);
    return "";
  }
}

const [, number] = MERGED.exec(CI_COMMIT_MESSAGE) ?? [];
const plans =
  number === undefined ? [] : await Promise.all(KINDS.map((kind) => plannedOf(number, kind)));
const [, digest] = DIGEST.exec(plans.join("\n")) ?? [];
if (digest !== undefined) process.stdout.write(`${digest}\n`);
else process.stderr.write("No merge request of this commit tells which changes were reviewed.\n");
