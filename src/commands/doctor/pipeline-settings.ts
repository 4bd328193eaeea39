// lintel doctor --ci: checks the settings of the platform that a pipeline relies on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { repositoryOf } from "../../document/read/repository.js";
import { apiAddress, isWithin, Refused, type Access, type Api } from "../../pipelines/api.js";
import { azureApi } from "../../pipelines/azure.js";
import { githubApi } from "../../pipelines/github.js";
import { gitlabApi } from "../../pipelines/gitlab.js";
import { PIPELINE_FILES, PLATFORMS, type PipelineKind } from "../../pipelines/pipeline.js";
import { branchesOf, secretsOf, stateRepositoryOf } from "../../pipelines/pipelined.js";
import { needed } from "../../pipelines/platform.js";
import { readProject, SETTINGS, type SettingCheck } from "../../pipelines/settings.js";
import { remoteOf } from "../../state/author/checkout.js";
import { openNetwork, type NetworkArguments } from "../../cli/open-run.js";
import { ADDRESS } from "../ci/with-platform.js";
import type { Result } from "../command.js";
import { branchFor } from "../init/state-choice.js";
import { factsOf, readFacts, writtenPipeline } from "../pipeline-facts.js";
import { newExamination, stepsText, type Finding } from "./steps.js";

type DoctorArguments = NetworkArguments & { readonly operands: readonly string[] };

export async function checkPipeline(outer: Io, call: DoctorArguments): Promise<Result> {
  const kind = platformOf(outer);
  const io = { ...outer, env: { ...environmentOf(kind, outer), ...outer.env } };
  const { branch, hasClock } = writtenPipeline(io, kind) ?? { branch: "main", hasClock: false };
  const { portals } = await readFacts(call.operands, io, () => branchFor(kind));
  const facts = factsOf(portals, io);
  const wanted = {
    secrets: secretsOf(facts),
    branch,
    hasClock,
    stateBranches: branchesOf(facts),
    stateRepository: stateRepositoryOf(facts),
  };
  const { tokens, open } = CONNECTIONS[kind];
  const address = apiAddress(needed(io.env, ADDRESS[kind]));
  await using network = openNetwork(io, call, "reading", { assertAllowed: isWithin(address) });
  const token = tokens.map((name) => io.env[name]?.trim()).find(Boolean);
  if (token === undefined) {
    const message = `Nothing was checked, because the variable ${tokens[0]} is not set.`;
    throw new Failure("credential-missing", message, tokenAdvice(kind));
  }
  const api = open(io, { http: network.http }, token);
  const { steps, step, exit } = newExamination();
  const project = `The project "${needed(io.env, CONNECTIONS[kind].project)}" at ${address}`;
  await step("project", [], async () => {
    const look = async () => void (await readProject[kind](api, io));
    const fine = `${project} is there, and the token can see it.`;
    return findingOf({ name: "project", fine, look }, kind, project);
  });
  for (const check of SETTINGS[kind](api, wanted, io)) {
    await step(check.name, ["project"], () => findingOf(check, kind));
  }
  const all = steps.map((each) => ({ ...each }));
  const more = { account: null, role: null, tokenEnds: null, steps: all };
  return {
    outcome: { command: "doctor", exit: exit(), diagnostics: [], more },
    text: (styles) => stepsText(steps, styles),
  };
}

/** A setting that the token cannot see fails, too: nothing is known of it. */
async function findingOf(
  check: SettingCheck,
  kind: PipelineKind,
  what = "It",
): Promise<[true, Finding]> {
  try {
    const wrong = await check.look();
    if (typeof wrong !== "string") return [true, wrong ?? check.fine];
    const help = `The command that sets it:\n  lintel ci setup --platform ${kind}`;
    throw new Failure("platform-setting", wrong, help);
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403, 404].includes(error.status)) throw error;
    // A platform answers 404 also for what a token may not see.
    const why = error.status === 404 ? `${what} does not exist, or this` : "This";
    const message = `Not checked. ${why} token cannot see it (${error.status}).`;
    throw new Failure("platform-refused", message, tokenAdvice(kind));
  }
}

function tokenAdvice(kind: PipelineKind): string {
  const { tokens, rights } = CONNECTIONS[kind];
  return `Set ${tokens[0]} to a token ${rights}.`;
}

/** The platform whose job this is, else the one whose pipeline is in the repository. */
function platformOf(io: Io): PipelineKind {
  const { GITHUB_ACTIONS, GITLAB_CI, SYSTEM_COLLECTIONURI } = io.env;
  if (GITHUB_ACTIONS) return "github";
  if (GITLAB_CI) return "gitlab";
  if (SYSTEM_COLLECTIONURI) return "azure";
  const root = repositoryOf(join(io.cwd, "portal.yaml")) ?? io.cwd;
  const found = PLATFORMS.find((kind) => existsSync(join(root, PIPELINE_FILES[kind])));
  if (found) return found;
  throw wrongUsage(
    "This repository has no pipeline.",
    "Write one first:\n  lintel init --ci github --package ADDRESS#sha256=SUM",
  );
}

/** What the platform would say in a job, as the remote "origin" says it at a desk. */
function environmentOf(kind: PipelineKind, io: Io): Record<string, string> {
  const root = repositoryOf(join(io.cwd, "portal.yaml"));
  const remote = (root && remoteOf(io, root)) ?? "";
  const [, host = "", path = ""] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/[^@/]*@|[^@/:]+@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?\/*$/.exec(
      remote,
    ) ?? [];
  if (host === "") return {};
  if (kind === "github") {
    const api = host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`;
    return { GITHUB_REPOSITORY: path, GITHUB_API_URL: api };
  }
  if (kind === "gitlab") return { CI_PROJECT_ID: path, CI_API_V4_URL: `https://${host}/api/v4` };
  const [organization = "", project = ""] = path.replace(/^v3\//, "").split("/");
  return {
    SYSTEM_COLLECTIONURI: `https://dev.azure.com/${organization}/`,
    SYSTEM_TEAMPROJECTID: decodeURIComponent(project),
  };
}

interface Connection {
  /** The variable of the platform that names the project. */
  readonly project: string;
  /** The variables that may hold the token, the first that is set. */
  readonly tokens: readonly [string, ...string[]];
  readonly rights: string;
  readonly open: (io: Io, access: Access, token: string) => Api;
}

const CONNECTIONS: Readonly<Record<PipelineKind, Connection>> = {
  github: {
    project: "GITHUB_REPOSITORY",
    tokens: ["GITHUB_TOKEN", "GH_TOKEN"],
    rights: "that may read Actions, Administration, Contents, Environments, Secrets and Variables",
    open: githubApi,
  },
  gitlab: {
    project: "CI_PROJECT_ID",
    tokens: ["GITLAB_TOKEN"],
    rights: "with the role Maintainer and the scope read_api",
    open: gitlabApi,
  },
  azure: {
    project: "SYSTEM_TEAMPROJECTID",
    tokens: ["AZURE_DEVOPS_EXT_PAT", "SYSTEM_ACCESSTOKEN"],
    rights: "that may read Build, Code and Variable Groups",
    open: azureApi,
  },
};
