// What a server says to a push that it does not take → a Failure that tells what to allow there, in the words of its platform.
import { Failure } from "../../failure.js";
import type { Branch } from "./branch.js";
import type { Ended } from "../../lib/git.js";
import { said } from "./refusal.js";

interface Kind {
  readonly pattern: RegExp;
  /** Continues "cannot be written: ". */
  readonly why: (branch: string) => string;
  readonly help: (branch: string) => string;
}

/** Words that the platforms have kept for years; the first that fits counts. */
const KINDS: readonly Kind[] = [
  {
    pattern: /GH006|GH013|repository rule violations/,
    why: (branch) => `a rule of the repository protects "${branch}"`,
    help: (branch) =>
      `On GitHub, under Settings › Rules (or Branches), let whoever applies push to "${branch}": leave it out of the rule's branches, or add the app or the team to those that may bypass it.`,
  },
  {
    pattern:
      /github-actions\[bot\]|Write access to repository not granted|Resource not accessible by integration/,
    why: () => "the workflow's token may only read",
    help: () => "Allow the job to push:\n  permissions:\n    contents: write",
  },
  {
    pattern: /Permission to \S+ denied to/,
    why: () => "whoever runs this may not push there",
    help: () => "On GitHub, give that account or deploy key write access to the repository.",
  },
  {
    pattern:
      /GitLab: You are not allowed to (force )?push code to protected branches|protected branches on this project/,
    why: (branch) => `GitLab protects "${branch}"`,
    help: (branch) =>
      `Under Settings › Repository › Protected branches, leave "${branch}" out of what is protected, or allow whoever applies to push to it.`,
  },
  {
    pattern: /You are not allowed to (push|upload) code|job token/i,
    why: () => "whoever runs this may not push there",
    help: () =>
      "On GitLab it takes the role of a Developer; in a pipeline, under Settings › CI/CD › Job token permissions, allow Git push requests to the repository, or use a project access token with write_repository.",
  },
  {
    pattern: /(Gitea|Forgejo): Not allowed to push to protected branch/i,
    why: (branch) => `the server protects "${branch}"`,
    help: (branch) =>
      `Under Settings › Branches, leave "${branch}" out of what is protected, or add whoever applies to those that may push.`,
  },
  {
    pattern: /TF402455/,
    why: (branch) => `a branch policy protects "${branch}"`,
    help: (branch) =>
      `In Azure DevOps, remove the policies of "${branch}", or allow whoever applies to bypass them when pushing.`,
  },
  {
    pattern: /TF401027|GenericContribute|TF401019|CreateBranch/,
    why: () => "whoever runs this may not push there",
    help: (branch) =>
      `In Azure DevOps, under Project settings › Repositories › Security, allow "Contribute" and "Create branch" for "${branch}"; in a pipeline, to the project's build service.`,
  },
  {
    pattern: /protected branch|branch is protected/i,
    why: (branch) => `the server protects "${branch}"`,
    help: (branch) =>
      `Leave "${branch}" out of what is protected, or allow whoever applies to push to it.`,
  },
  {
    pattern: /branch is currently checked out/,
    why: (branch) => `"${branch}" is checked out in the remote's own work tree`,
    help: () => "Name another branch, which is for the state alone:\n  state: git:lintel-state",
  },
  {
    pattern: /hook declined|declined/i,
    why: () => "a hook of the server refuses it",
    help: (branch) =>
      `Let the server's hook pass pushes of whoever applies to "${branch}": the commits there change nothing but states.`,
  },
  {
    pattern:
      /insufficient permission|Permission denied|Read-only file system|No space left|unpack/i,
    why: () => "the server cannot store it",
    help: () => "Check rights and room in the remote's own repository.",
  },
  {
    pattern:
      /returned error: 40[13]|denied|not allowed|could not read (Username|Password)|Authentication failed/i,
    why: () => "whoever runs this may not push there",
    help: () =>
      "Git signs in with its own credentials: give this run some that may push. In a pipeline the checkout must keep them (GitHub: persist-credentials; Azure: persistCredentials: true).",
  },
];

export function refused(
  { shown, name, remote }: Branch,
  { stderr }: Pick<Ended, "stderr">,
  summary: string,
): Failure {
  const found = KINDS.find(({ pattern }) => pattern.test(`${stderr}\n${summary}`));
  const why = found?.why(name) ?? `"${remote}" refuses it`;
  const words = `${stderr}\n${/\((.+)\)$/.exec(summary)?.[1] ?? ""}`;
  return new Failure(
    "state-not-writable",
    `The state "${shown}" cannot be written: ${why}. "${remote}" says: ${said(words)}`,
    found?.help(name) ?? `See what "${remote}" wants of a push to "${name}".`,
  );
}
