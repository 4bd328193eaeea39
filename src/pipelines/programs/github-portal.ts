// The word after its name → what a job of GitHub's workflows does by the repository's own interface.
import { say } from "./github/ask.js";
import { comment } from "./github/comment.js";
import { drift } from "./github/drift.js";
import { reviewed } from "./github/reviewed.js";
import { scanBranch } from "./github/scan.js";

const JOBS: Readonly<Record<string, () => Promise<void>>> = {
  comment,
  drift,
  reviewed,
  scan: scanBranch,
};

try {
  const [, , word = ""] = process.argv;
  await JOBS[word]?.();
} catch (error) {
  // Otherwise people would read a stack of this program.
  const text = String(error).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  say(`::error::${text}`);
  process.exitCode = 1;
}
