// Checks the settings of a platform that keep secrets behind an approval.
import type { Io } from "../io.js";
import type { Api } from "./api.js";
import {
  checksOf,
  groupNamed,
  groupsOf,
  pipelineOf,
  repositoryNamed,
  strangersTo,
  whyUnapproved,
  type Check,
  type Guarded,
} from "./azure.js";
import { GITHUB, GITHUB_ENVIRONMENT, whyUnreviewed } from "./github.js";
import { projectOf } from "./gitlab.js";
import { PIPELINE_FILES, type PipelineKind } from "./pipeline.js";
import { ENVIRONMENT, UNATTENDED } from "./pipelined.js";
import { optional, type Shaped } from "./shape.js";

/** What no setting can change, or what is a choice. */
interface Remark {
  readonly warning: string;
  readonly help: string;
}

/** Returns what is wrong, if anything is. */
type Look = () => Promise<string | Remark | undefined>;

export interface SettingCheck {
  readonly name: string;
  /** What is so where nothing is wrong. */
  readonly fine: string;
  readonly look: Look;
}

export interface Wanted {
  readonly secrets: readonly string[];
  readonly branch: string;
  readonly hasClock: boolean;
  /** The branches that hold states. */
  readonly stateBranches: readonly string[];
  /** The repository of its own that holds them, on Azure. */
  readonly stateRepository: string | undefined;
}

export const SETTINGS: Readonly<
  Record<PipelineKind, (api: Api, wanted: Wanted, io: Io) => readonly SettingCheck[]>
> = { github, gitlab, azure };

/** Fails where this token may not see the project, or where there is none. */
export const readProject: Readonly<Record<PipelineKind, (api: Api, io: Io) => Promise<unknown>>> = {
  github: (api) => api.read("", {}),
  gitlab: (api, io) => api.read(projectOf(io), {}),
  azure: pipelineOf,
};

const HOSTS = "LINTEL_ALLOWED_HOSTS";
function check(name: string, fine: string, look: Look): SettingCheck {
  return { name, fine, look };
}

const placesOf = ({ hasClock }: Wanted) => [ENVIRONMENT, ...(hasClock ? [UNATTENDED] : [])];

/** The first complaint about a place where secrets are. */
async function inPlaces(
  wanted: Wanted,
  look: (place: string) => string | undefined | Promise<string | undefined>,
) {
  for (const place of placesOf(wanted)) {
    const wrong = await look(place);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Where variables are, as some jobs get them. */
interface Place {
  readonly name: string;
  /** What is kept as a secret. */
  readonly secrets: readonly string[];
  /** All names that have a value. */
  readonly names: readonly string[];
}

/** `hostsAt` are the places that have to name the hosts. */
function variableChecks(
  wanted: Wanted,
  hostsAt: readonly string[],
  reader: () => Promise<readonly Place[]>,
): SettingCheck[] {
  const { secrets } = wanted;
  const isOurs = ({ name }: Place) => placesOf(wanted).includes(name);
  let places: Promise<readonly Place[]> | undefined;
  const read = () => (places ??= reader());
  return [
    check("secrets", "The secrets are there.", async () => {
      const all = await read();
      return inPlaces(wanted, (place) => {
        const here = all.flatMap((each) => (each.name === place ? each.secrets : []));
        const absent = secrets.filter((name) => !here.includes(name)).join(", ");
        return absent === "" ? undefined : `"${place}" has no secret ${absent}.`;
      });
    }),
    check("elsewhere", "No other place has the secrets.", async () => {
      const others = (await read()).filter((place) => !isOurs(place));
      const open = others.flatMap(({ name: place, names }) =>
        secrets.flatMap((name) => (names.includes(name) ? `${name} in "${place}"` : [])),
      );
      return open.length > 0 ? `Other jobs can read ${open.join(", ")}.` : undefined;
    }),
    check("hosts", `${HOSTS} is set.`, async () => {
      const there = (await read()).flatMap(({ name, names }) =>
        names.includes(HOSTS) ? name : [],
      );
      const place = hostsAt.find((name) => !there.includes(name));
      return place && `${HOSTS} is not set in "${place}".`;
    }),
  ];
}

const PUBLIC: Remark = {
  warning:
    "The repository is public: everyone can read the logs, and with an account the artifact plan.json, which holds settings of the portal.",
  help: "Make the repository private; approvals then need GitHub Enterprise. Or leave the artifact out:\n  lintel init --ci github --minimal",
};

/** The token of a job may push to a branch, and approvals by the person who wrote the job count then. */
const ONE_APPROVAL: Remark = {
  warning: `A reviewer alone can reach the secrets of "${UNATTENDED}", if the token of a job pushes to another person's branch.`,
  help: "Require two approvals of a merge:\n  lintel help pipelines",
};

const GITHUB_RULE = {
  type: "",
  parameters: optional({
    required_approving_review_count: optional(0),
    require_code_owner_review: optional(false),
    required_status_checks: optional([{ context: "", integration_id: optional(0) }]),
  }),
};

/** GitHub Actions on github.com; an Enterprise Server has a number of its own. */
const ACTIONS = 15_368;

function github(api: Api, wanted: Wanted, { env }: Io): SettingCheck[] {
  const { branch, hasClock, stateBranches } = wanted;
  const secrets = [...wanted.secrets, ...(stateBranches.length > 0 ? ["LINTEL_DEPLOY_KEY"] : [])];
  const isCloud = (env["GITHUB_API_URL"] ?? GITHUB) === GITHUB;
  const secretsAt = async (path: string) => {
    const found = await api.read(`${path}/secrets?per_page=100`, { secrets: [{ name: "" }] });
    return found.secrets.map((each) => each.name);
  };
  const environment = async (name: string): Promise<Place> => {
    const path = `/environments/${name}`;
    const secrets = await secretsAt(path);
    const hosts = (await api.find(`${path}/variables/${HOSTS}`, { value: "" }))?.value;
    return { name, secrets, names: [...secrets, ...(hosts ? [HOSTS] : [])] };
  };
  const readPlaces = async () => {
    const open = await secretsAt("/actions");
    const environments = await Promise.all(placesOf(wanted).map(environment));
    return [...environments, { name: "repository", secrets: open, names: open }];
  };
  // After 60 days without a commit to a public repository, GitHub disables its crons.
  const clock = check("clock", "GitHub runs the workflow by the cron.", async () => {
    const { state } = await api.read("/actions/workflows/portal.yml", { state: "" });
    return state === "active" ? undefined : "The workflow portal.yml is disabled. Enable it.";
  });
  return [
    check("approval", `Another person has to approve what uses "${ENVIRONMENT}".`, async () =>
      whyUnreviewed(
        await api.read(`/environments/${ENVIRONMENT}`, GITHUB_ENVIRONMENT),
        ENVIRONMENT,
      ),
    ),
    check("branches", `Only ${branch} can use the secrets.`, () =>
      inPlaces(wanted, async (each) => {
        const path = `/environments/${each}/deployment-branch-policies`;
        const shape = { branch_policies: [{ name: "", type: optional("") }] };
        const { branch_policies: all } = await api.read(path, shape);
        const names = all.map(({ name, type }) => (type === "tag" ? `the tag ${name}` : name));
        if (names.length === 1 && names[0] === branch) return undefined;
        return `The environment "${each}" is for ${names.join(", ") || "every branch"}, not for ${branch} alone.`;
      }),
    ),
    ...variableChecks({ ...wanted, secrets }, placesOf(wanted), readPlaces),
    check("merges", `A merge to ${branch} needs a review and the check "propose".`, () =>
      githubMerges(api, wanted, isCloud),
    ),
    check("pushes", "Only jobs and administrators push the states.", async () => {
      const open = await withoutRules(api, [branch], ["deletion", "non_fast_forward"]);
      if (open !== undefined) return `People can delete the branch ${open}, or force a push to it.`;
      const pushed = await withoutRules(api, stateBranches, ["creation", "update", "deletion"]);
      if (pushed !== undefined)
        return `Members can push the branch ${pushed}, so they can push back an older state.`;
      const keys = await api.read("/keys?per_page=100", [{ title: "", read_only: false }]);
      const other = keys.find(
        ({ title, read_only: isHarmless }) => title !== "portal" && !isHarmless,
      );
      return stateBranches.length > 0 && other
        ? `The deploy key "${other.title}" can push the states, too.`
        : undefined;
    }),
    check("readers", "Only members can read the plans.", async () =>
      (await api.read("", { private: false })).private ? undefined : PUBLIC,
    ),
    ...(hasClock ? [clock] : []),
  ];
}

async function githubMerges(api: Api, { branch, hasClock }: Wanted, isCloud: boolean) {
  const workflows = await api.read("/actions/permissions/workflow", {
    can_approve_pull_request_reviews: false,
  });
  if (workflows.can_approve_pull_request_reviews)
    return 'Workflows can approve: turn off "Allow GitHub Actions to create and approve pull requests".';
  const rules = await api.read(`/rules/branches/${encodeURIComponent(branch)}`, [GITHUB_RULE]);
  const reviews = rules.filter(({ type }) => type === "pull_request");
  const counts = reviews.map(({ parameters }) => parameters?.required_approving_review_count ?? 0);
  const most = Math.max(0, ...counts);
  if (most === 0) return `A merge to ${branch} needs no review.`;
  const isPlanned = rules.some(({ parameters }) =>
    parameters?.required_status_checks?.some(
      ({ context, integration_id: id }) =>
        context === "propose" && (isCloud ? id === ACTIONS : id != null),
    ),
  );
  if (!isPlanned) return `A merge to ${branch} needs no check "propose" of GitHub Actions.`;
  if (!reviews.some(({ parameters }) => parameters?.require_code_owner_review))
    return "A change of the pipeline needs no review of an owner.";
  return (await whyNoOwners(api)) ?? (hasClock && most < 2 ? ONE_APPROVAL : undefined);
}

/** GitHub skips a line that it finds wrong, and takes the last one that fits. */
async function whyNoOwners(api: Api): Promise<string | undefined> {
  const path = "/contents/.github/CODEOWNERS";
  const found = await api.find(path, { content: "" });
  const text = Buffer.from(found?.content ?? "", "base64").toString("utf8");
  const last = text.split("\n").findLast((line) => /^[^#\s]/.test(line)) ?? "";
  if (!/^\/\.github\/ +@/.test(last))
    return "The last line of .github/CODEOWNERS names no owner of /.github/.";
  const { errors } = await api.read("/codeowners/errors", { errors: [{ message: "" }] });
  return errors[0] && `.github/CODEOWNERS is wrong: ${errors[0].message.split("\n")[0]}`;
}

/** The first of the branches that lacks one of the rules. */
async function withoutRules(api: Api, branches: readonly string[], types: readonly string[]) {
  for (const branch of branches) {
    const rules = await api.read(`/rules/branches/${encodeURIComponent(branch)}`, [GITHUB_RULE]);
    const found = rules.map(({ type }) => type);
    if (types.some((type) => !found.includes(type))) return branch;
  }
  return undefined;
}

const GITLAB_PROJECT = {
  ci_pipeline_variables_minimum_override_role: optional(""),
  only_allow_merge_if_pipeline_succeeds: optional(false),
  allow_pipeline_trigger_approve_deployment: optional(false),
  ci_push_repository_for_job_token_allowed: optional(false),
  path_with_namespace: "",
  ci_config_path: optional(""),
};
const LEVELS = [{ access_level: optional(0), user_id: optional(0), group_id: optional(0) }];
const MAINTAINER = 40;
/** Level 0 is no one. A person or a group that is named may have any role, whatever the level says. */
const isBelowMaintainer = (levels: Shaped<typeof LEVELS>) =>
  levels.some(({ access_level: level, user_id: user, group_id: group }) => {
    return user != null || group != null || (level != null && level > 0 && level < MAINTAINER);
  });
const GITLAB_BRANCH = {
  name: "",
  allow_force_push: false,
  push_access_levels: LEVELS,
  merge_access_levels: LEVELS,
};
const GITLAB_ENVIRONMENT = {
  deploy_access_levels: LEVELS,
  approval_rules: optional([{ required_approvals: 0 }]),
};
const GITLAB_VARIABLE = {
  key: "",
  value: optional(""),
  protected: false,
  masked: false,
  environment_scope: "",
};

function gitlab(api: Api, wanted: Wanted, io: Io): SettingCheck[] {
  const { branch, hasClock } = wanted;
  const project = projectOf(io);
  const settings = () => api.read(project, GITLAB_PROJECT);
  const clock = check("clock", `A pipeline schedule runs for ${branch}.`, async () => {
    const schedules = await api.read(`${project}/pipeline_schedules`, [{ ref: "", active: false }]);
    const isThere = schedules.some(
      ({ ref, active }) => active && ref.replace("refs/heads/", "") === branch,
    );
    return isThere ? undefined : `No active pipeline schedule is for ${branch}.`;
  });
  return [
    check(
      "approval",
      `Only Maintainers run jobs with the secrets, and another person approves those of "${ENVIRONMENT}".`,
      () =>
        inPlaces(wanted, async (name) => {
          const path = `${project}/protected_environments/${name}`;
          const found = await api.find(path, GITLAB_ENVIRONMENT);
          if (!found)
            return `The environment "${name}" is not protected. That needs GitLab Premium.`;
          if (isBelowMaintainer(found.deploy_access_levels))
            return `Others than Maintainers can run jobs of the environment "${name}".`;
          if (name !== ENVIRONMENT) return undefined;
          const isNeeded = found.approval_rules?.some(({ required_approvals: count }) => count > 0);
          if (!isNeeded) return `The environment "${name}" has no approval rule.`;
          // A job may do it with its own token.
          return (await settings()).allow_pipeline_trigger_approve_deployment === true
            ? `The person who starts a pipeline can approve its deployment: turn off "Allow pipeline triggerer to approve deployment".`
            : undefined;
        }),
    ),
    check("pipelines", `Every pipeline takes its file from ${branch}.`, async () => {
      const { ci_config_path: path, path_with_namespace: name } = await settings();
      return path === `${PIPELINE_FILES.gitlab}@${name}:refs/heads/${branch}`
        ? undefined
        : "Every branch brings its own pipeline, which can do what the person who starts it may do.";
    }),
    ...variableChecks(wanted, ["*"], async () => {
      const all = await api.read(`${project}/variables?per_page=100`, [GITLAB_VARIABLE]);
      return all.map(({ key, value, environment_scope: name, masked, protected: isProtected }) => {
        return {
          name,
          // GitLab can mask no other values.
          secrets: isProtected && (masked || !/^\S{8,}$/.test(value ?? "")) ? [key] : [],
          names: value === "" ? [] : [key],
        };
      });
    }),
    check("variables", "No variables are entered when a pipeline is started.", async () => {
      const { ci_pipeline_variables_minimum_override_role: role } = await settings();
      return role === "no_one_allowed" ? undefined : "People can enter variables for a pipeline.";
    }),
    check("merges", `${branch} takes only green merges that another person approved.`, () =>
      gitlabMerges(api, project, branch),
    ),
    check("pushes", "Only Maintainers can change other protected branches and tags.", () =>
      gitlabPushes(api, project, wanted),
    ),
    ...(hasClock ? [clock] : []),
  ];
}

/** Every protected branch and tag gets the protected variables, and a person who can push there brings the pipeline. */
async function gitlabPushes(api: Api, project: string, { branch, stateBranches }: Wanted) {
  const branches = await api.read(`${project}/protected_branches?per_page=100`, [GITLAB_BRANCH]);
  const absent = stateBranches.find((each) => !branches.some(({ name }) => name === each));
  if (absent !== undefined)
    return `The branch ${absent} is not protected, so Developers can change the states.`;
  const settings = await api.read(project, GITLAB_PROJECT);
  if (stateBranches.length > 0 && !settings.ci_push_repository_for_job_token_allowed)
    return 'Jobs cannot push the states: turn on "Allow Git push requests to the repository".';
  const tag = { name: "", create_access_levels: LEVELS };
  const tags = await api.read(`${project}/protected_tags?per_page=100`, [tag]);
  const open = [
    ...branches.filter(
      ({ name, push_access_levels: pushes, merge_access_levels: merges }) =>
        name !== branch && isBelowMaintainer([...pushes, ...merges]),
    ),
    ...tags.filter(({ create_access_levels: creates }) => isBelowMaintainer(creates)),
  ].map(({ name }) => name);
  if (open.length === 0) return undefined;
  return `Others than Maintainers can change ${open.join(", ")}, and a pipeline there gets protected variables.`;
}

async function gitlabMerges(api: Api, project: string, branch: string) {
  const path = `${project}/protected_branches/${encodeURIComponent(branch)}`;
  const found = await api.find(path, GITLAB_BRANCH);
  if (!found) return `The branch ${branch} is not protected.`;
  if (found.allow_force_push) return `People can force a push to ${branch}.`;
  if (found.push_access_levels.some(({ access_level: level }) => level !== 0))
    return `People can push to ${branch} without a merge request.`;
  if (!(await api.read(project, GITLAB_PROJECT)).only_allow_merge_if_pipeline_succeeds)
    return `A merge to ${branch} needs no green pipeline.`;
  const rules = await api.find(`${project}/approval_rules`, [{ approvals_required: 0 }]);
  if (!rules)
    return `This subscription of GitLab has no required approvals, so a merge to ${branch} needs no review. Use GitLab Premium, or "lintel serve" on a machine of your own.`;
  if (!rules.some(({ approvals_required: count }) => count > 0))
    return `A merge to ${branch} needs no review.`;
  const shape = { merge_requests_author_approval: optional(false) };
  const approvals = await api.read(`${project}/approvals`, shape);
  return approvals.merge_requests_author_approval
    ? "Authors can approve their own merge requests."
    : undefined;
}

const AZURE_POLICY = {
  isEnabled: false,
  isBlocking: false,
  type: { displayName: "" },
  settings: {
    // A policy of all repositories of the project names none.
    scope: optional([{ refName: optional(""), repositoryId: optional("") }]),
    buildDefinitionId: optional(0),
    minimumApproverCount: optional(0),
    creatorVoteCounts: optional(false),
    blockLastPusherVote: optional(false),
    resetOnSourcePush: optional(false),
    requiredReviewerIds: optional([""]),
    filenamePatterns: optional([""]),
  },
};
const AZURE_SETTINGS = {
  enforceSettableVar: false,
  enforceJobAuthScope: false,
  enforceReferencedRepoScopedToken: false,
  disableClassicBuildPipelineCreation: optional(false),
  disableClassicReleasePipelineCreation: optional(false),
};

const isBranchControl =
  (ref: string) =>
  ({ settings }: Check) =>
    settings?.definitionRef?.name === "evaluatebranchProtection" &&
    settings.inputs?.allowedBranches === ref &&
    settings.inputs.ensureProtectionOfBranch === "true";

function azure(api: Api, wanted: Wanted, io: Io): SettingCheck[] {
  const { branch, stateRepository } = wanted;
  const ref = `refs/heads/${branch}`;
  const variables = async () => (await pipelineOf(api, io))?.variables ?? {};
  const inGroups = (look: (group: Guarded) => Promise<string | undefined>) =>
    inPlaces(wanted, async (name) => {
      const group = await groupNamed(api, name);
      if (!group) return `There is no variable group "${name}".`;
      const wrong = await look(group);
      return wrong && `${wrong} the variable group "${name}".`;
    });
  const without = async (guarded: Guarded, isMeant: (each: Check) => boolean, wrong: string) =>
    (await checksOf(api, guarded)).some(isMeant) ? undefined : wrong;
  const offBranch = (guarded: Guarded) =>
    without(
      guarded,
      isBranchControl(ref),
      `No check allows ${ref} alone, while it has a policy, for`,
    );
  const strangers = async (guarded: Guarded) =>
    strangersTo(api, guarded, (await pipelineOf(api, io))?.id);
  return [
    check("approval", `Another person has to approve what uses "${ENVIRONMENT}".`, () =>
      whyUnapproved(api, ENVIRONMENT),
    ),
    check("branches", `Only ${branch} can use the secrets.`, () => inGroups(offBranch)),
    check("pipelines", "Only this pipeline can use the secrets.", () => inGroups(strangers)),
    check("lock", "One run at a time has the secrets.", () =>
      inGroups((group) =>
        without(
          group,
          ({ type }) => type.name === "ExclusiveLock",
          'No check "Exclusive lock" is on',
        ),
      ),
    ),
    ...variableChecks(wanted, placesOf(wanted), async () => {
      const all = [...(await groupsOf(api)), { name: "pipeline", variables: await variables() }];
      return all.map(({ name, variables: found }) => {
        const entries = Object.entries(found).filter(([, each]) => each?.value !== "");
        const secrets = entries.flatMap(([key, each]) => (each?.isSecret ? key : []));
        return { name, secrets, names: entries.map(([key]) => key) };
      });
    }),
    check(
      "runs",
      "A person who queues a run sets no variable, and its token is limited.",
      async () => {
        const settings = await api.read("/build/generalsettings", AZURE_SETTINGS);
        if (!settings.enforceSettableVar)
          return 'A person who queues a run can set any variable: turn on "Limit variables that can be set at queue time".';
        const open = Object.entries(await variables()).filter(([, found]) => found?.allowOverride);
        const names = open.map(([name]) => name).join(", ");
        if (names) return `A person who queues a run can set ${names}.`;
        if (!settings.enforceJobAuthScope) return "The token of a run reaches other projects.";
        if (!settings.enforceReferencedRepoScopedToken)
          return "The token of a run reaches every repository of the project.";
        const { disableClassicBuildPipelineCreation: builds } = settings;
        if (builds && settings.disableClassicReleasePipelineCreation) return undefined;
        return `No check stops a classic pipeline: turn on "Disable creation of classic ${builds ? "release" : "build"} pipelines".`;
      },
    ),
    check("states", "No run of a pull request can push the states.", async () => {
      if (wanted.stateBranches.length === 0) return undefined;
      if (stateRepository === undefined)
        return "The run of any pull request can push the states. Keep them in a repository of their own.";
      const found = await repositoryNamed(api, stateRepository);
      if (!found) return `There is no repository "${stateRepository}".`;
      const wrong = (await offBranch(found)) ?? (await strangers(found));
      return wrong && `${wrong} the repository "${stateRepository}".`;
    }),
    check("merges", `A merge to ${branch} needs a review and a green run.`, () =>
      azureMerges(api, wanted, io),
    ),
  ];
}

async function azureMerges(api: Api, { branch, hasClock }: Wanted, io: Io) {
  const ref = `refs/heads/${branch}`;
  const { value } = await api.read("/policy/configurations", { value: [AZURE_POLICY] });
  const { id, repository } = (await pipelineOf(api, io)) ?? {};
  const policies = value.filter(
    ({ isEnabled, isBlocking, settings: { scope } }) =>
      isEnabled &&
      isBlocking &&
      scope?.some(({ refName, repositoryId: of }) => {
        return refName === ref && (of == null || of === repository?.id);
      }),
  );
  const isBuilt = policies.some(({ type, settings: { buildDefinitionId } }) => {
    return type.displayName === "Build" && buildDefinitionId === id;
  });
  if (!isBuilt) return `No build validation by this pipeline is required for ${branch}.`;
  const votes = policies.filter(
    ({ settings: { minimumApproverCount: count, creatorVoteCounts } }) =>
      (count ?? 0) > 0 && creatorVoteCounts === false,
  );
  if (votes.length === 0) return `A merge to ${branch} needs no vote of another person.`;
  const isAfterPush = votes.some(
    ({ settings }) => settings.blockLastPusherVote === true && settings.resetOnSourcePush === true,
  );
  if (!isAfterPush)
    return `Votes for a merge to ${branch} stay after a push, or the person who pushed last can vote.`;
  const isOwned = policies.some(
    ({ settings: { requiredReviewerIds: ids, filenamePatterns: patterns } }) =>
      (ids ?? []).length > 0 &&
      (patterns == null || patterns.length === 0 || patterns.includes("/azure-pipelines*")),
  );
  if (!isOwned) return "A change of the pipeline needs no vote of a required reviewer.";
  const most = Math.max(
    ...votes.map(({ settings: { minimumApproverCount: count } }) => count ?? 0),
  );
  return hasClock && most < 2 ? ONE_APPROVAL : undefined;
}
