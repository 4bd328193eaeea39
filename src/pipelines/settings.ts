// The settings of a platform that keep secrets behind an approval, each with the way to look at it.
import type { Io } from "../io.js";
import type { Api } from "./api.js";
import { APPROVAL, checksOf, variablesOf, type Check } from "./azure.js";
import { reviewersOf, type GithubEnvironment } from "./github.js";
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

function github(api: Api, wanted: Wanted): SettingCheck[] {
  const { secrets, branch } = wanted;
  type Named = readonly { readonly name: string }[];
  const namesOf = (all: Named) => all.map(({ name }) => name);
  const secretsAt = async (path: string) =>
    namesOf((await api.read<{ secrets: Named }>(`${path}/secrets?per_page=100`)).secrets);
  const place = `The environment "${ENVIRONMENT}"`;
  return [
    check("approval", `${place} has required reviewers, and prevents self-review.`, async () => {
      const rule = reviewersOf(await api.read<GithubEnvironment>(`/environments/${ENVIRONMENT}`));
      if (!rule) return `${place} has no required reviewers.`;
      return rule.prevent_self_review ? undefined : "Authors can approve their own runs.";
    }),
    check("branches", `Only ${branch} can use the secrets.`, () =>
      inPlaces(wanted, async (each) => {
        const path = `/environments/${each}/deployment-branch-policies`;
        const names = namesOf((await api.read<{ branch_policies: Named }>(path)).branch_policies);
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
      return found === undefined ? HOSTS_MISSING : undefined;
    }),
    check("merges", `A merge to ${branch} needs a review and the check "propose".`, async () => {
      const path = `/rules/branches/${encodeURIComponent(branch)}`;
      const rules = (await api.read<readonly { type: string }[]>(path)).map(({ type }) => type);
      const isStrict = ["pull_request", "required_status_checks"].every((each) =>
        rules.includes(each),
      );
      return isStrict ? undefined : `A merge to ${branch} needs no review, or no check.`;
    }),
  ];
}

function gitlab(api: Api, wanted: Wanted, io: Io): SettingCheck[] {
  const { secrets, branch, hasClock } = wanted;
  const project = projectOf(io);
  interface Variable {
    readonly key: string;
    readonly protected: boolean;
    readonly masked: boolean;
    readonly environment_scope: string;
  }
  const variables = () => api.read<readonly Variable[]>(`${project}/variables?per_page=100`);
  const place = `The environment "${ENVIRONMENT}"`;
  const clock = check("clock", `A pipeline schedule runs for ${branch}.`, async () => {
    type Schedules = readonly { readonly ref: string; readonly active: boolean }[];
    const schedules = await api.read<Schedules>(`${project}/pipeline_schedules`);
    const isThere = schedules.some(({ ref, active }) => active && ref.endsWith(branch));
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
      const isSet = (await variables()).some(({ key }) => key === HOSTS);
      return isSet ? undefined : HOSTS_MISSING;
    }),
    check("merges", `${branch} is protected.`, async () => {
      const path = `${project}/protected_branches/${encodeURIComponent(branch)}`;
      const found = await api.readText(path);
      return found === undefined ? `The branch ${branch} is not protected.` : undefined;
    }),
    ...(hasClock ? [clock] : []),
  ];
}

function azure(api: Api, wanted: Wanted): SettingCheck[] {
  const { branch } = wanted;
  const has = async (group: string, isMeant: (each: Check) => boolean, wrong: string) => {
    const checks = await checksOf(api, group);
    if (!checks) return `There is no variable group "${group}".`;
    return checks.some(isMeant) ? undefined : `The variable group "${group}" ${wrong}`;
  };
  const isApproval = ({ type }: Check) => type.name === APPROVAL;
  const isBranch = ({ settings }: Check) =>
    settings?.definitionRef?.name === "evaluatebranchProtection";
  return [
    check("approval", `The variable group "${ENVIRONMENT}" needs an approval.`, () =>
      has(ENVIRONMENT, isApproval, 'has no check "Approvals".'),
    ),
    check("branches", `Only ${branch} can use the secrets.`, () =>
      inPlaces(wanted, (group) =>
        has(group, isBranch, 'has no check "Branch control": every branch can use it.'),
      ),
    ),
    check("secrets", IN_PLACE, () =>
      inPlaces(wanted, async (group) => missing(wanted, await variablesOf(api, group), group)),
    ),
    check("merges", `A merge to ${branch} needs a green run.`, async () => {
      interface Policy {
        readonly isEnabled: boolean;
        readonly isBlocking: boolean;
        readonly type: { readonly displayName: string };
        readonly settings: { readonly scope?: readonly { readonly refName?: string }[] };
      }
      const { value } = await api.read<{ value: readonly Policy[] }>("/policy/configurations");
      const isThere = value.some(
        ({ isEnabled, isBlocking, type, settings: { scope = [] } }) =>
          isEnabled &&
          isBlocking &&
          type.displayName === "Build" &&
          scope.some(({ refName }) => refName === `refs/heads/${branch}`),
      );
      return isThere ? undefined : `No build validation is required for ${branch}.`;
    }),
  ];
}
