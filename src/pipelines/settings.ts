// The settings of a platform that keep secrets behind an approval, each with the way to look at it.
import type { Io } from "../io.js";
import type { Api } from "./api.js";
import { checksOf, groupsOf, pipelineOf, variablesOf, whyUnapproved, type Check } from "./azure.js";
import { GITHUB, whyUnreviewed, type GithubEnvironment } from "./github.js";
import { projectOf } from "./gitlab.js";
import type { PipelineKind } from "./pipeline.js";
import { ENVIRONMENT, UNATTENDED } from "./pipelined.js";

/** Returns what is wrong, if anything is. */
type Look = () => Promise<string | undefined>;

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
}

export const SETTINGS: Readonly<
  Record<PipelineKind, (api: Api, wanted: Wanted, io: Io) => readonly SettingCheck[]>
> = { github, gitlab, azure };

const HOSTS = "LINTEL_ALLOWED_HOSTS";
const HOSTS_SET = `${HOSTS} is set.`;
const HOSTS_MISSING = `The variable ${HOSTS} is not set.`;
const IN_PLACE = "The secrets are there.";
const NOWHERE_ELSE = "No other place has the secrets.";

function check(name: string, fine: string, look: Look): SettingCheck {
  return { name, fine, look };
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

interface GithubRule {
  readonly type: string;
  readonly parameters?: {
    readonly required_approving_review_count?: number;
    readonly required_status_checks?: readonly {
      readonly context: string;
      readonly integration_id?: number | null;
    }[];
  };
}

/** GitHub Actions on github.com; an Enterprise Server has a number of its own. */
const ACTIONS = 15_368;

function github(api: Api, wanted: Wanted, { env }: Io): SettingCheck[] {
  const { secrets, branch } = wanted;
  const isCloud = (env["GITHUB_API_URL"] ?? GITHUB) === GITHUB;
  const isOfActions = (id: number | null | undefined) => (isCloud ? id === ACTIONS : id != null);
  type Named = readonly { readonly name: string }[];
  const namesOf = (all: Named) => all.map(({ name }) => name);
  const secretsAt = async (path: string) =>
    namesOf((await api.read<{ secrets: Named }>(`${path}/secrets?per_page=100`)).secrets);
  return [
    check("approval", `Another person has to approve what uses "${ENVIRONMENT}".`, async () =>
      whyUnreviewed(await api.read<GithubEnvironment>(`/environments/${ENVIRONMENT}`), ENVIRONMENT),
    ),
    check("branches", `Only ${branch} can use the secrets.`, () =>
      inPlaces(wanted, async (each) => {
        const path = `/environments/${each}/deployment-branch-policies`;
        type Policies = readonly { readonly name: string; readonly type?: "branch" | "tag" }[];
        const { branch_policies: all } = await api.read<{ branch_policies: Policies }>(path);
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
    check("hosts", HOSTS_SET, async () => {
      const found = await api.readText(`/actions/variables/${HOSTS}`);
      const { value = "" } = JSON.parse(found ?? "{}") as { readonly value?: string };
      return value === "" ? HOSTS_MISSING : undefined;
    }),
    check("merges", `A merge to ${branch} needs a review and the check "propose".`, async () => {
      const path = `/rules/branches/${encodeURIComponent(branch)}`;
      const rules = await api.read<readonly GithubRule[]>(path);
      const isReviewed = rules.some(
        ({ type, parameters: { required_approving_review_count: count = 0 } = {} }) =>
          type === "pull_request" && count > 0,
      );
      const isPlanned = rules.some(({ parameters: { required_status_checks: all = [] } = {} }) =>
        all.some(({ context, integration_id: id }) => context === "propose" && isOfActions(id)),
      );
      if (isReviewed && isPlanned) return undefined;
      return `A merge to ${branch} needs no ${isReviewed ? 'check "propose" of GitHub Actions' : "review"}.`;
    }),
  ];
}

interface GitlabProject {
  readonly ci_pipeline_variables_minimum_override_role?: string;
  readonly only_allow_merge_if_pipeline_succeeds: boolean;
}

interface GitlabBranch {
  readonly allow_force_push: boolean;
  readonly push_access_levels: readonly { readonly access_level: number }[];
}

function gitlab(api: Api, wanted: Wanted, io: Io): SettingCheck[] {
  const { secrets, branch, hasClock } = wanted;
  const project = projectOf(io);
  interface Variable {
    readonly key: string;
    readonly value?: string;
    readonly protected: boolean;
    readonly masked: boolean;
    readonly environment_scope: string;
  }
  const variables = () => api.read<readonly Variable[]>(`${project}/variables?per_page=100`);
  const place = `The environment "${ENVIRONMENT}"`;
  const clock = check("clock", `A pipeline schedule runs for ${branch}.`, async () => {
    type Schedules = readonly { readonly ref: string; readonly active: boolean }[];
    const schedules = await api.read<Schedules>(`${project}/pipeline_schedules`);
    const isThere = schedules.some(
      ({ ref, active }) => active && ref.replace("refs/heads/", "") === branch,
    );
    return isThere ? undefined : `No active pipeline schedule is for ${branch}.`;
  });
  return [
    check("approval", `${place} is protected, and needs an approval.`, async () => {
      const text = await api.readText(`${project}/protected_environments/${ENVIRONMENT}`);
      if (text === undefined) return `${place} is not protected.`;
      type Rules = readonly { readonly required_approvals: number }[];
      const { approval_rules: rules = [] } = JSON.parse(text) as { approval_rules?: Rules };
      const isNeeded = rules.some(({ required_approvals: count }) => count > 0);
      return isNeeded ? undefined : `${place} has no approval rule.`;
    }),
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
    check("variables", "Nobody can type variables for a pipeline.", async () => {
      const { ci_pipeline_variables_minimum_override_role: role } =
        await api.read<GitlabProject>(project);
      return role === "no_one_allowed" ? undefined : "A pipeline takes variables that people type.";
    }),
    check("merges", `${branch} takes only green merges that another person approved.`, () =>
      gitlabMerges(api, project, branch),
    ),
    ...(hasClock ? [clock] : []),
  ];
}

async function gitlabMerges(api: Api, project: string, branch: string) {
  const path = `${project}/protected_branches/${encodeURIComponent(branch)}`;
  const text = await api.readText(path);
  if (text === undefined) return `The branch ${branch} is not protected.`;
  const found = JSON.parse(text) as GitlabBranch;
  if (found.allow_force_push) return `People can force a push to ${branch}.`;
  if (found.push_access_levels.some(({ access_level: level }) => level !== 0))
    return `People can push to ${branch} without a merge request.`;
  const { only_allow_merge_if_pipeline_succeeds: isGreen } = await api.read<GitlabProject>(project);
  if (!isGreen) return `A merge to ${branch} needs no green pipeline.`;
  const rules = await api.readText(`${project}/approval_rules`);
  if (rules === undefined)
    return `This subscription of GitLab has no required approvals, so a merge to ${branch} needs no review. Use GitLab Premium, or "lintel serve" on a machine of your own.`;
  const all = JSON.parse(rules) as readonly { readonly approvals_required: number }[];
  if (!all.some(({ approvals_required: count }) => count > 0))
    return `A merge to ${branch} needs no review.`;
  type Approvals = { readonly merge_requests_author_approval: boolean };
  const approvals = await api.read<Approvals>(`${project}/approvals`);
  return approvals.merge_requests_author_approval
    ? "Authors can approve their own merge requests."
    : undefined;
}

interface AzurePolicy {
  readonly isEnabled: boolean;
  readonly isBlocking: boolean;
  readonly type: { readonly displayName: string };
  readonly settings: {
    readonly scope?: readonly {
      readonly refName?: string | null;
      /** Null for all repositories of the project. */
      readonly repositoryId?: string | null;
    }[];
    readonly buildDefinitionId?: number;
    readonly minimumApproverCount?: number;
    readonly creatorVoteCounts?: boolean;
  };
}

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
    check("lock", "One run at a time has the secrets.", () =>
      inPlaces(wanted, (group) =>
        has(group, ({ type }) => type.name === "ExclusiveLock", 'has no check "Exclusive lock".'),
      ),
    ),
    check("secrets", IN_PLACE, () =>
      inPlaces(wanted, async (group) => missing(wanted, await variablesOf(api, group), group)),
    ),
    check("elsewhere", NOWHERE_ELSE, async () => {
      const groups = (await groupsOf(api)).filter(({ name }) => !placesOf(wanted).includes(name));
      const all = [...groups, { name: "the pipeline", variables: await variables() }];
      const open = all.flatMap(({ name: place, variables: found = {} }) =>
        secrets.flatMap((name) => (name in found ? `${name} in ${place}` : [])),
      );
      return open.length > 0 ? `Other jobs can read ${open.join(", ")}.` : undefined;
    }),
    check("hosts", HOSTS_SET, async () => {
      const { value, allowOverride } = (await variables())[HOSTS] ?? {};
      if (allowOverride === true) return `Whoever starts a run can change ${HOSTS}.`;
      return value ? undefined : HOSTS_MISSING;
    }),
    check("merges", `A merge to ${branch} needs a review and a green run.`, async () => {
      const { value } = await api.read<{ value: readonly AzurePolicy[] }>("/policy/configurations");
      const { id, repository } = (await pipelineOf(api, io)) ?? {};
      const policies = value.filter(
        ({ isEnabled, isBlocking, settings: { scope = [] } }) =>
          isEnabled &&
          isBlocking &&
          scope.some(({ refName, repositoryId: of }) => {
            return refName === ref && (of == null || of === repository?.id);
          }),
      );
      const isBuilt = policies.some(({ type, settings: { buildDefinitionId } }) => {
        return type.displayName === "Build" && buildDefinitionId === id;
      });
      if (!isBuilt) return `No build validation by this pipeline is required for ${branch}.`;
      const isReviewed = policies.some(
        ({ settings: { minimumApproverCount: count = 0, creatorVoteCounts } }) =>
          count > 0 && creatorVoteCounts === false,
      );
      return isReviewed ? undefined : `A merge to ${branch} needs no vote of another person.`;
    }),
  ];
}
