// What a pipeline is about → which jobs of GitLab's have its secrets, and which of their commands do not.
import { handedOn, type Pipelined } from "../parts.js";

/** Variables are given to the jobs of an environment. Not to `portal/apply` itself, whose rules would stop other jobs, too. */
export function access(name: string): string[] {
  return ["  environment:", `    name: ${name}`, "    action: access"];
}

/** Before a command. */
export function withoutSecrets(pipelined: Pipelined): string {
  return ["env", ...handedOn(pipelined).map((name) => `-u ${name}`)].join(" ");
}
