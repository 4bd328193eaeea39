// Checks the settings of a platform that keep secrets behind an approval.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Api } from "./api.js";
import {
  checksOf,
  groupsOf,
  pipelineOf,
  strangersTo,
  variablesOf,
  whyUnapproved,
  type Check,
} from "./azure.js";
import { GITHUB, GITHUB_ENVIRONMENT, whyUnreviewed } from "./github.js";
import { projectOf } from "./gitlab.js";
import type { PipelineKind } from "./pipeline.js";
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
  /** The paths in a value of LINTEL_POLICY that are neither in this repository nor in the text of its pipeline. */
  unfetched(policies: string): readonly string[];
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
const POLICY = "LINTEL_POLICY";
const HOSTS_SET = `${HOSTS} is set.`;
const HOSTS_MISSING = `The variable ${HOSTS} is not set.`;
const IN_PLACE = "The secrets are there.";
const NOWHERE_ELSE = "No other place has the secrets.";

function check(name: string, fine: string, look: Look): SettingCheck {
  return { name, fine, look };
}

/** A job has the files of this repository, and what its steps fetch. */
function policyCheck(wanted: Wanted, read: () => Promise<readonly (string | null | undefined)[]>) {
  return check("policy", `The jobs have each policy that ${POLICY} names.`, async () => {
    const missing = (await read()).flatMap((value) => wanted.unfetched(value ?? ""));
    if (missing.length === 0) return undefined;
    throw new Failure(
      "platform-setting",
      `No job fetches ${missing.join(", ")}, which ${POLICY} names, so each plan stops.`,
      "Add a step that fetches it to each job:\n  lintel help policy",
    );
  });
}

const placesOf = ({ hasClock }: Wanted) => [ENVIRONMENT, ...(hasClock ? [UNATTENDED] : [])];

/** The first complaint about a place where secrets are. */
async function inPlaces(wanted: Wanted, look: (place: string) => Promise<string | undefined>) {
  for (const place of placesOf(wanted)) {
    const wrong = await look(place);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function missing({ secrets }: Wanted, found: readonly string[], place: string) {
  const absent = secrets.filter((name) => !found.includes(name));
  return absent.length > 0 ? `"${place}" has no secret ${absent.join(", ")}.` : undefined;
}

const PUBLIC: Remark = {
  warning:
    "The repository is public: everyone can read the logs, and with an account the artifact plan.json, which holds settings of the portal.",
  help: "Make the repository private; approvals then need GitHub Enterprise. Or leave the artifact out:\n  lintel init --ci github --minimal",
};

const GITHUB_RULE = {
  type: "",
  parameters: optional({
    required_approving_review_count: optional(0),
    required_status_checks: optional([{ context: "", integration_id: optional(0) }]),
  }),
};

/** GitHub Actions on github.com; an Enterprise Server has a number of its own. */
const ACTIONS = 15_368;

function github(api: Api, wanted: Wanted, { env }: Io): SettingCheck[] {
  const { secrets, branch } = wanted;
  const isCloud = (env["GITHUB_API_URL"] ?? GITHUB) === GITHUB;
  const isOfActions = (id: number | null | undefined) => (isCloud ? id === ACTIONS : id != null);
  const secretsAt = async (path: string) => {
    const found = await api.read(`${path}/secrets?per_page=100`, { secrets: [{ name: "" }] });
    return found.secrets.map(({ name }) => name);
  };
  const variable = async (name: string) =>
    (await api.find(`/actions/variables/${name}`, { value: "" }))?.value;
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
    check("secrets", IN_PLACE, () =>
      inPlaces(wanted, async (each) =>
        missing(wanted, await secretsAt(`/environments/${each}`), each),
      ),
    ),
    check("elsewhere", NOWHERE_ELSE, async () => {
      const open = (await secretsAt("/actions")).filter((name) => secrets.includes(name));
      return open.length > 0
        ? `Every job can read ${open.join(", ")}: delete it there.`
        : undefined;
    }),
    check("hosts", HOSTS_SET, async () => ((await variable(HOSTS)) ? undefined : HOSTS_MISSING)),
    policyCheck(wanted, async () => [await variable(POLICY)]),
    check("merges", `A merge to ${branch} needs a review and the check "propose".`, async () => {
      const path = `/rules/branches/${encodeURIComponent(branch)}`;
      const rules = await api.read(path, [GITHUB_RULE]);
      const isReviewed = rules.some(
        ({ type, parameters }) =>
          type === "pull_request" && (parameters?.required_approving_review_count ?? 0) > 0,
      );
      const isPlanned = rules.some(({ parameters }) =>
        (parameters?.required_status_checks ?? []).some(
          ({ context, integration_id: id }) => context === "propose" && isOfActions(id),
        ),
      );
      if (isReviewed && isPlanned) return undefined;
      return `A merge to ${branch} needs no ${isReviewed ? 'check "propose" of GitHub Actions' : "review"}.`;
    }),
    check("readers", "Only members can read the plans.", async () =>
      (await api.read("", { private: false })).private ? undefined : PUBLIC,
    ),
  ];
}

const GITLAB_PROJECT = {
  ci_pipeline_variables_minimum_override_role: optional(""),
  only_allow_merge_if_pipeline_succeeds: optional(false),
  allow_pipeline_trigger_approve_deployment: optional(false),
};
const LEVELS = [{ access_level: optional(0) }];
const MAINTAINER = 40;
const isBelowMaintainer = (levels: Shaped<typeof LEVELS>) =>
  levels.some(({ access_level: level }) => level != null && level > 0 && level < MAINTAINER);
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
  const { secrets, branch, hasClock } = wanted;
  const project = projectOf(io);
  const variables = () => api.read(`${project}/variables?per_page=100`, [GITLAB_VARIABLE]);
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
            return `Developers can run jobs of the environment "${name}".`;
          if (name !== ENVIRONMENT) return undefined;
          const isNeeded = found.approval_rules?.some(({ required_approvals: count }) => count > 0);
          if (!isNeeded) return `The environment "${name}" has no approval rule.`;
          // A job may do it with its own token.
          return (await settings()).allow_pipeline_trigger_approve_deployment === true
            ? `The person who starts a pipeline can approve its deployment: turn off "Allow pipeline triggerer to approve deployment".`
            : undefined;
        }),
    ),
    check("secrets", `${IN_PLACE} They are masked, and for protected branches.`, async () => {
      const kept = (await variables()).filter((each) => each.protected && each.masked);
      return inPlaces(wanted, async (scope) => {
        const here = kept.filter((each) => each.environment_scope === scope);
        return missing(
          wanted,
          here.map(({ key }) => key),
          scope,
        );
      });
    }),
    check("elsewhere", NOWHERE_ELSE, async () => {
      const names = (await variables()).flatMap(({ key, environment_scope: scope }) => {
        const isOpen = secrets.includes(key) && !placesOf(wanted).includes(scope);
        return isOpen ? `${key} for "${scope}"` : [];
      });
      return names.length > 0 ? `Other jobs can read ${names.join(", ")}.` : undefined;
    }),
    check("hosts", HOSTS_SET, async () => {
      const isSet = (await variables()).some(
        ({ key, value, environment_scope: scope }) => key === HOSTS && scope === "*" && value,
      );
      return isSet ? undefined : HOSTS_MISSING;
    }),
    policyCheck(wanted, async () =>
      (await variables()).filter(({ key }) => key === POLICY).map(({ value }) => value),
    ),
    check("variables", "Users cannot type variables for a pipeline.", async () => {
      const { ci_pipeline_variables_minimum_override_role: role } = await settings();
      return role === "no_one_allowed" ? undefined : "A pipeline takes variables that people type.";
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
  return `Developers can change ${open.join(", ")}, and a pipeline there gets protected variables.`;
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
  },
};
const AZURE_SETTINGS = {
  enforceSettableVar: false,
  enforceJobAuthScope: false,
  enforceReferencedRepoScopedToken: false,
};

function azure(api: Api, wanted: Wanted, io: Io): SettingCheck[] {
  const { branch, secrets } = wanted;
  const ref = `refs/heads/${branch}`;
  const has = async (group: string, isMeant: (each: Check) => boolean, wrong: string) => {
    const checks = await checksOf(api, group);
    if (!checks) return `There is no variable group "${group}".`;
    return checks.some(isMeant) ? undefined : `The variable group "${group}" ${wrong}`;
  };
  const isBranch = ({ settings }: Check) =>
    settings?.definitionRef?.name === "evaluatebranchProtection" &&
    settings.inputs?.allowedBranches === ref &&
    settings.inputs.ensureProtectionOfBranch === "true";
  const variables = async () => (await pipelineOf(api, io))?.variables ?? {};
  return [
    check("approval", `Another person has to approve what uses "${ENVIRONMENT}".`, async () =>
      whyUnapproved(await checksOf(api, ENVIRONMENT), ENVIRONMENT),
    ),
    check("branches", `Only ${branch} can use the secrets.`, () =>
      inPlaces(wanted, (group) =>
        has(group, isBranch, `has no check that allows ${ref} alone, while it has a policy.`),
      ),
    ),
    check("pipelines", "Only this pipeline can use the secrets.", () =>
      inPlaces(wanted, async (group) => strangersTo(api, group, (await pipelineOf(api, io))?.id)),
    ),
    check("lock", "One run at a time has the secrets.", () =>
      inPlaces(wanted, (group) =>
        has(group, ({ type }) => type.name === "ExclusiveLock", 'has no check "Exclusive lock".'),
      ),
    ),
    check("secrets", IN_PLACE, () =>
      inPlaces(wanted, async (group) => {
        const found = Object.entries(await variablesOf(api, group));
        const kept = found.flatMap(([name, each]) => (each?.isSecret ? name : []));
        return missing(wanted, kept, group);
      }),
    ),
    check("elsewhere", NOWHERE_ELSE, async () => {
      const groups = (await groupsOf(api)).filter(({ name }) => !placesOf(wanted).includes(name));
      const all = [...groups, { name: "the pipeline", variables: await variables() }];
      const open = all.flatMap(({ name: place, variables: found }) =>
        secrets.flatMap((name) => (name in found ? `${name} in ${place}` : [])),
      );
      return open.length > 0 ? `Other jobs can read ${open.join(", ")}.` : undefined;
    }),
    check("hosts", HOSTS_SET, () =>
      inPlaces(wanted, async (group) => {
        const isSet = (await variablesOf(api, group))[HOSTS]?.value;
        return isSet ? undefined : `The variable group "${group}" has no ${HOSTS}.`;
      }),
    ),
    policyCheck(wanted, async () => {
      const groups = await Promise.all(placesOf(wanted).map((group) => variablesOf(api, group)));
      return [await variables(), ...groups].map((each) => each[POLICY]?.value);
    }),
    check(
      "runs",
      "A person who queues a run sets no variable, and its token is limited.",
      async () => {
        const { enforceSettableVar, ...token } = await api.read(
          "/build/generalsettings",
          AZURE_SETTINGS,
        );
        if (!enforceSettableVar)
          return 'A person who queues a run can set any variable: turn on "Limit variables that can be set at queue time".';
        const open = Object.entries(await variables()).filter(([, found]) => found?.allowOverride);
        const names = open.map(([name]) => name).join(", ");
        if (names) return `A person who queues a run can set ${names}.`;
        if (!token.enforceJobAuthScope) return "The token of a run reaches other projects.";
        if (token.enforceReferencedRepoScopedToken) return undefined;
        return "The token of a run reaches every repository of the project.";
      },
    ),
    check("merges", `A merge to ${branch} needs a review and a green run.`, () =>
      azureMerges(api, branch, io),
    ),
  ];
}

async function azureMerges(api: Api, branch: string, io: Io): Promise<string | undefined> {
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
  const isReviewed = policies.some(
    ({ settings: { minimumApproverCount: count, creatorVoteCounts } }) =>
      (count ?? 0) > 0 && creatorVoteCounts === false,
  );
  return isReviewed ? undefined : `A merge to ${branch} needs no vote of another person.`;
}
