// Fills in the commands that set a platform up for the pipeline of a repository.
import azureText from "../../generated/pipelines/setup-azure.js";
import githubText from "../../generated/pipelines/setup-github.js";
import gitlabText from "../../generated/pipelines/setup-gitlab.js";
import { shellWord } from "../lib/text.js";
import type { PipelineKind } from "./pipeline.js";
import {
  branchesOf,
  ENVIRONMENT,
  isInBucket,
  isKeptByGitlab,
  stateRepositoryOf,
  secretsOf,
  UNATTENDED,
  type Pipelined,
} from "./pipelined.js";
import { filled } from "./template.js";

export interface SetupFacts extends Pick<Pipelined, "variables" | "states" | "hosts" | "cron"> {
  readonly branch: string;
  readonly hasClock: boolean;
  /** Of the portals, with their bases, policies and schemas, as seen from the working folder. */
  readonly files: readonly string[];
  /** Accounts, or teams and groups with a slash. */
  readonly reviewers: readonly string[];
}

const TEXTS = { github: githubText, gitlab: gitlabText, azure: azureText };

/** The command that looks up the number by which the platform knows a reviewer. */
const LOOK_UP: Readonly<Record<PipelineKind, (name: string, group: string | undefined) => string>> =
  {
    github: (name, team) =>
      team === undefined
        ? `gh api users/${name} --jq .id`
        : `gh api orgs/${name}/teams/${team} --jq .id`,
    gitlab: (name, group) =>
      group === undefined
        ? `glab api 'users?username=${name}' | jq '.[0].id // empty'`
        : `glab api groups/${name}%2F${group} | jq '.id // empty'`,
    azure: (name, group) =>
      group === undefined
        ? `az devops user show --user ${name} --query id --output tsv`
        : `az devops security group list --scope organization --output tsv --query "graphGroups[?principalName=='[${name}]\\\\${group}'].originId"`,
  };

/** A reviewer in what is sent to the platform; Azure's script makes that itself. */
const SENT: Readonly<Record<PipelineKind, (id: string, isGroup: boolean) => string>> = {
  github: (id, isGroup) => `{ "type": "${isGroup ? "Team" : "User"}", "id": ${id} }`,
  gitlab: (id, isGroup) =>
    `{ "required_approvals": 1, "${isGroup ? "group_id" : "user_id"}": ${id} }`,
  azure: (id) => id,
};

export function setupText(kind: PipelineKind, facts: SetupFacts): string {
  const { branch, hasClock, hosts, states, reviewers, cron = "" } = facts;
  const pushed = branchesOf(facts);
  const isPushed = pushed.length > 0;
  const own = stateRepositoryOf(facts);
  const environments = hasClock ? [ENVIRONMENT, UNATTENDED] : [ENVIRONMENT];
  const named = reviewers.map((each, at) => {
    const [name = "", group] = each.split("/");
    const id = `\${reviewer${at}:?is empty: the platform knows no ${each}}`;
    return {
      isGroup: group !== undefined,
      id,
      line: `reviewer${at}=$(${LOOK_UP[kind](name, group)})`,
    };
  });
  const idsOf = (isGroup: boolean) =>
    named.flatMap((each) => (each.isGroup === isGroup ? each.id : [])).join(", ");
  return filled(TEXTS[kind], {
    words: {
      BRANCH: shellWord(branch),
      CRON: shellWord(cron),
      FILES: facts.files.map(shellWord).join(" "),
      HOSTS: shellWord(hosts.join(",")),
      ROLE: isInBucket(facts) ? ' AWS_ROLE_ARN="$role" AWS_SERVICE_CONNECTION="$connection"' : "",
      REPOSITORY: own ?? "",
      ENVIRONMENTS: environments.join(" "),
      REPORTING: hasClock ? " portal-report" : "",
      REPORT_TOKEN: hasClock ? " LINTEL_REPORT_TOKEN" : "",
      SECRETS: secretsOf(facts).join(" "),
      REVIEWERS: reviewers.join(", "),
      REVIEWER_IDS: named
        .map(({ id, isGroup }) => SENT[kind](id, isGroup))
        .join(kind === "azure" ? " " : ", "),
      // GitLab's approval rules list people and groups apart.
      USER_IDS: idsOf(false),
      GROUP_IDS: idsOf(true),
      HAVE_KEYS: environments.map((each) => `has_key ${each}`).join(" && "),
      PUSHES: isPushed ? " --field ci_push_repository_for_job_token_allowed=true" : "",
      STATES: pushed.join(", "),
      STATE_BRANCHES: pushed.map(shellWord).join(" "),
      APPROVALS: hasClock ? "2" : "1",
      OWNERS: reviewers.map((each) => `@${each}`).join(" "),
    },
    blocks: { reviewers: named.map(({ line }) => line) },
    parts: {
      clock: hasClock,
      oidc: isInBucket(facts),
      kept: states.some(isKeptByGitlab),
      pushed: isPushed,
      own: own !== undefined,
      several: reviewers.length > 1,
      single: reviewers.length === 1 && !reviewers[0]?.includes("/"),
    },
  });
}
