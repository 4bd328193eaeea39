// What is wrong in files, as SARIF → code scanning, where the repository has it.
import { gzipSync } from "node:zlib";
import { Refused } from "../call.js";
import { madeText } from "../made.js";
import { ask, say } from "./ask.js";

const LONGEST = 5_000_000;

/** Of the default branch, so that a proposal is told only of what it adds. */
export async function scanBranch(): Promise<void> {
  const { GITHUB_REF = "", GITHUB_SHA = "" } = process.env;
  await scan("lintel.sarif", { ref: GITHUB_REF, sha: GITHUB_SHA });
}

interface Report {
  readonly runs?: readonly { readonly tool?: { readonly driver?: { readonly name?: unknown } } }[];
}

/**
 * What is wrong at which lines, for code scanning. It is Lintel's alone: a proposal's run may have been rewritten, and
 * must not speak for another tool. Where code scanning is not switched on nothing is missing but that.
 */
export async function scan(path: string, at: { readonly ref: string; readonly sha: string }) {
  const sarif = madeText(path, LONGEST);
  if (sarif === undefined || !isOwn(sarif)) {
    say("There is no report of Lintel's for code scanning.");
    return;
  }
  try {
    await ask("POST", "/code-scanning/sarifs", {
      commit_sha: at.sha,
      ref: at.ref,
      sarif: gzipSync(sarif).toString("base64"),
      tool_name: "Lintel",
    });
  } catch (error) {
    if (!(error instanceof Refused && [403, 404].includes(error.status))) throw error;
    say("Code scanning is not switched on in this repository, so it has no report of Lintel's.");
  }
}

function isOwn(sarif: string): boolean {
  try {
    const { runs } = JSON.parse(sarif) as Report;
    return runs?.length === 1 && runs[0]?.tool?.driver?.name === "Lintel";
  } catch {
    return false;
  }
}
