// The settings of a platform that keep secrets behind an approval, each with the way to look at it.
import type { Io } from "../io.js";
import type { Api } from "./api.js";
import { APPROVAL, checksOf, variablesOf, type Check } from "./azure.js";
import { reviewersOf, type GithubEnvironment } from "./github.js";
import { projectOf } from "./gitlab.js";
import type { PipelineKind } from "./pipeline.js";
import { ENVIRONMENT, UNATTENDED } from "./pipelined.js";

export interface SettingCheck {
  readonly name: string;
  /** What is so where nothing is wrong. */
  readonly fine: string;
  /** Returns what is wrong, if anything is. */
  look(): Promise<string | undefined>;
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
const placesOf = ({ hasClock }: Wanted) => [ENVIRONMENT, ...(hasClock ? [UNATTENDED] : [])];
const IN_PLACE = "The secrets are there.";
const NOWHERE_ELSE = "No other place has the secrets.";

/** The first complaint. */
async function first(looks: readonly (() => Promise<string | undefined>)[]) {
  for (const look of looks) {
    const wrong = await look();
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function missing(wanted: readonly string[], found: readonly string[], place: string) {
  const absent = wanted.filter((name) => !found.includes(name));
  return absent.length > 0 ? `"${place}" has no secret ${absent.join(", ")}.` : undefined;
}

function github(api: Api, wanted: Wanted): SettingCheck[] {
  const { secrets, branch } = wanted;
  interface Names {
    readonly secrets: readonly { readonly name: string }[];
  }
  const namesAt = async (path: string) => {
    const found = await api.read<Names>(`${path}/secrets?per_page=100`);
    return found.secrets.map(({ name }) => name);
  };
  return [
    {
      name: "approval",
      fine: `The environment "${ENVIRONMENT}" has required reviewers, and prevents self-review.`,
      async look() {
        const found = await api.read<GithubEnvironment>(`/environments/${ENVIRONMENT}`);
        const rule = reviewersOf(found);
        if (!rule) return `The environment "${ENVIRONMENT}" has no required reviewers.`;
        return rule.prevent_self_review ? undefined : "Authors can approve their own runs.";
      },
    },
    {
      name: "branches",
      fine: `Only ${branch} can use the secrets.`,
      look: () =>
        first(
          placesOf(wanted).map((place) => async () => {
            const path = `/environments/${place}/deployment-branch-policies`;
            interface Policies {
              readonly branch_policies: readonly { readonly name: string }[];
            }
            const { branch_policies: policies } = await api.read<Policies>(path);
            const names = policies.map(({ name }) => name);
            if (names.length === 1 && names[0] === branch) return undefined;
            return `The environment "${place}" is for ${names.join(", ") || "every branch"}, not for ${branch} alone.`;
          }),
        ),
    },
    {
      name: "secrets",
      fine: IN_PLACE,
      look: () =>
        first(
          placesOf(wanted).map((place) => async () => {
            return missing(secrets, await namesAt(`/environments/${place}`), place);
          }),
        ),
    },
    {
      name: "elsewhere",
      fine: NOWHERE_ELSE,
      async look() {
        const open = (await namesAt("/actions")).filter((name) => secrets.includes(name));
        return open.length > 0
          ? `Every job can read ${open.join(", ")}: delete it there.`
          : undefined;
      },
    },
    {
      name: "hosts",
      fine: `${HOSTS} is set.`,
      look: async () =>
        (await api.readText(`/actions/variables/${HOSTS}`)) === undefined
          ? `The variable ${HOSTS} is not set.`
          : undefined,
    },
    {
      name: "merges",
      fine: `A merge to ${branch} needs a review and the check "propose".`,
      async look() {
        const path = `/rules/branches/${encodeURIComponent(branch)}`;
        const rules = await api.read<readonly { readonly type: string }[]>(path);
        const has = (type: string) => rules.some((each) => each.type === type);
        if (has("pull_request") && has("required_status_checks")) return undefined;
        return `A merge to ${branch} needs no review, or no check.`;
      },
    },
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
  const clock: SettingCheck = {
    name: "clock",
    fine: `A pipeline schedule runs for ${branch}.`,
    async look() {
      interface Schedule {
        readonly ref: string;
        readonly active: boolean;
      }
      const schedules = await api.read<readonly Schedule[]>(`${project}/pipeline_schedules`);
      const isThere = schedules.some(({ ref, active }) => active && ref.endsWith(branch));
      return isThere ? undefined : `No active pipeline schedule is for ${branch}.`;
    },
  };
  return [
    {
      name: "approval",
      fine: `The environment "${ENVIRONMENT}" is protected, and needs an approval.`,
      async look() {
        interface Protected {
          readonly approval_rules?: readonly { readonly required_approvals: number }[];
        }
        const path = `${project}/protected_environments/${ENVIRONMENT}`;
        const text = await api.readText(path);
        if (text === undefined) return `The environment "${ENVIRONMENT}" is not protected.`;
        const { approval_rules: rules = [] } = JSON.parse(text) as Protected;
        const isNeeded = rules.some(({ required_approvals: count }) => count > 0);
        return isNeeded ? undefined : `The environment "${ENVIRONMENT}" has no approval rule.`;
      },
    },
    {
      name: "secrets",
      fine: `${IN_PLACE} They are masked, and for protected branches.`,
      async look() {
        const all = await variables();
        return first(
          placesOf(wanted).map((place) => async () => {
            const here = all.filter((each) => each.environment_scope === place);
            const kept = here.filter((each) => each.protected && each.masked);
            return missing(
              secrets,
              kept.map(({ key }) => key),
              place,
            );
          }),
        );
      },
    },
    {
      name: "elsewhere",
      fine: NOWHERE_ELSE,
      async look() {
        const open = (await variables()).filter(({ key, environment_scope: scope }) => {
          return secrets.includes(key) && !placesOf(wanted).includes(scope);
        });
        const names = open.map(({ key, environment_scope: scope }) => `${key} for "${scope}"`);
        return names.length > 0 ? `Other jobs can read ${names.join(", ")}.` : undefined;
      },
    },
    {
      name: "hosts",
      fine: `${HOSTS} is set.`,
      look: async () =>
        (await variables()).some(({ key }) => key === HOSTS)
          ? undefined
          : `The variable ${HOSTS} is not set.`,
    },
    {
      name: "merges",
      fine: `${branch} is protected.`,
      look: async () =>
        (await api.readText(`${project}/protected_branches/${encodeURIComponent(branch)}`)) ===
        undefined
          ? `The branch ${branch} is not protected.`
          : undefined,
    },
    ...(hasClock ? [clock] : []),
  ];
}

function azure(api: Api, wanted: Wanted): SettingCheck[] {
  const { secrets, branch } = wanted;
  const checked = (isMeant: (check: Check) => boolean, wrong: string) => async (place: string) => {
    const checks = await checksOf(api, place);
    if (!checks) return `There is no variable group "${place}".`;
    return checks.some(isMeant) ? undefined : `The variable group "${place}" ${wrong}`;
  };
  const hasApproval = checked(({ type }) => type.name === APPROVAL, 'has no check "Approvals".');
  const hasBranch = checked(
    ({ settings }) => settings?.definitionRef?.name === "evaluatebranchProtection",
    `has no check "Branch control": every branch can use it.`,
  );
  return [
    {
      name: "approval",
      fine: `The variable group "${ENVIRONMENT}" needs an approval.`,
      look: () => hasApproval(ENVIRONMENT),
    },
    {
      name: "branches",
      fine: `Only ${branch} can use the secrets.`,
      look: () => first(placesOf(wanted).map((place) => () => hasBranch(place))),
    },
    {
      name: "secrets",
      fine: IN_PLACE,
      look: () =>
        first(
          placesOf(wanted).map((place) => async () => {
            return missing(secrets, await variablesOf(api, place), place);
          }),
        ),
    },
    {
      name: "merges",
      fine: `A merge to ${branch} needs a green run.`,
      async look() {
        interface Policy {
          readonly isEnabled: boolean;
          readonly isBlocking: boolean;
          readonly type: { readonly displayName: string };
          readonly settings: { readonly scope?: readonly { readonly refName?: string }[] };
        }
        interface Policies {
          readonly value: readonly Policy[];
        }
        const { value } = await api.read<Policies>("/policy/configurations");
        const isThere = value.some(
          ({ isEnabled, isBlocking, type, settings: { scope = [] } }) =>
            isEnabled &&
            isBlocking &&
            type.displayName === "Build" &&
            scope.some(({ refName }) => refName === `refs/heads/${branch}`),
        );
        return isThere ? undefined : `No build validation is required for ${branch}.`;
      },
    },
  ];
}
