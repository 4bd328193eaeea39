// Writes the pipeline files of each platform from their templates.
import azureLintelText from "../../generated/pipelines/azure-lintel.js";
import azureText from "../../generated/pipelines/azure.js";
import githubCommentText from "../../generated/pipelines/github-comment.js";
import githubMinimalText from "../../generated/pipelines/github-minimal.js";
import githubText from "../../generated/pipelines/github.js";
import gitlabText from "../../generated/pipelines/gitlab.js";
import { filled, type Filling } from "./template.js";
import {
  branchesOf,
  ENVIRONMENT,
  isInBucket,
  isKeptByGitlab,
  isOpen,
  secretsOf,
  stateRepositoryOf,
  UNATTENDED,
  type Pipelined,
} from "./pipelined.js";

export const PLATFORMS = ["github", "gitlab", "azure"] as const;
export type PipelineKind = (typeof PLATFORMS)[number];

/** Where each platform looks for its pipeline, from the root of the repository. */
export const PIPELINE_FILES: Readonly<Record<PipelineKind, string>> = {
  gitlab: ".gitlab-ci.yml",
  azure: "azure-pipelines.yml",
  github: ".github/workflows/portal.yml",
};

const COMMENT_FILE = ".github/workflows/portal-comment.yml";
const STEP_FILE = "azure-pipelines-lintel.yml";

export function filesOf(kind: PipelineKind, isMinimal: boolean): string[] {
  const beside = { gitlab: [], azure: [STEP_FILE], github: isMinimal ? [] : [COMMENT_FILE] };
  return [PIPELINE_FILES[kind], ...beside[kind]];
}

/** The texts of the files, by their paths from the root of the repository. */
export function pipelineTexts(
  kind: PipelineKind,
  pipelined: Pipelined,
  isMinimal = false,
): Record<string, string> {
  const file = PIPELINE_FILES[kind];
  if (kind === "gitlab") return { [file]: filled(gitlabText, gitlab(pipelined)) };
  if (kind === "azure") {
    const filling = azure(pipelined);
    return { [file]: filled(azureText, filling), [STEP_FILE]: filled(azureLintelText, filling) };
  }
  const filling = github(pipelined);
  if (isMinimal) return { [file]: filled(githubMinimalText, filling) };
  return {
    [file]: filled(githubText, filling),
    [COMMENT_FILE]: filled(githubCommentText, filling),
  };
}

/** By commit and by digest, because a tag may be moved. */
export const PINNED = {
  CHECKOUT: "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
  NODE: "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
  UPLOAD: "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0",
  DOWNLOAD: "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1",
  IMAGE:
    "node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4",
};

const passedOn = (names: readonly string[]) => names.map((name) => `${name}="$${name}"`).join(" ");
const versionOf = (pinned: string) => pinned.replace(/^.* # /, "");

const quoted = (text: string) => JSON.stringify(text);

/** Names of files stay in a variable: a shell takes apart what stands in its text. */
function valuesOf({ target, package: { address, sum }, values }: Pipelined) {
  const files = target.startsWith("-") ? `./${target}` : target;
  return [
    ...packageOf({ address, sum }),
    ["LINTEL_FILES", quoted(files)] as const,
    ...values.map(([name, value]) => [name, quoted(value)] as const),
  ];
}

function packageOf({ address, sum: { algorithm, hex } }: Pipelined["package"]) {
  return [
    ["LINTEL_PACKAGE", quoted(address)],
    [`LINTEL_${algorithm.toUpperCase()}`, quoted(hex)],
  ] as const;
}

/** What npm may know of the environment: no secret is among it, and no token. */
export const INSTALL_ENV = ["PATH", "HOME", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"];

/** npm downloads a package without running anything of it, whether it is at an address, in a registry or a file here. */
export function installLines({ package: { sum } }: Pick<Pipelined, "package">): string[] {
  const variable = `LINTEL_${sum.algorithm.toUpperCase()}`;
  return [
    "folder=$(mktemp -d)",
    'npm pack --silent --ignore-scripts --pack-destination "$folder" "$LINTEL_PACKAGE"',
    `echo "$${variable}  $(ls "$folder"/*.tgz)" | ${sum.algorithm}sum --check --strict`,
    'npm install --global --ignore-scripts "$folder"/*.tgz # The one file in the folder.',
  ];
}

/** What all platforms have in common. */
function common(pipelined: Pipelined): Filling {
  const { branch, cron, hosts } = pipelined;
  return {
    words: {
      ...PINNED,
      CRON: cron ?? "",
      HOSTS: quoted(hosts.join(",")),
      REF: `'refs/heads/${branch.replaceAll("'", "''")}'`,
      COMPARE: isOpen(pipelined) ? "" : " --no-state",
      PLAN_ENVIRONMENT: cron === undefined ? ENVIRONMENT : UNATTENDED,
    },
    parts: {
      clock: cron !== undefined,
      oidc: isInBucket(pipelined),
    },
    blocks: {
      install: installLines(pipelined),
      values: valuesOf(pipelined).map(([name, value]) => `${name}: ${value}`),
    },
  };
}

function github(pipelined: Pipelined): Filling {
  const { words, parts, blocks } = common(pipelined);
  const branches = branchesOf(pipelined);
  const isPushed = branches.length > 0;
  return {
    parts: { ...parts, pushed: isPushed },
    words: {
      ...words,
      CHECKOUT_VERSION: versionOf(PINNED.CHECKOUT),
      NODE_VERSION: versionOf(PINNED.NODE),
      PERSIST: String(isPushed),
      READS: isPushed ? ` persist-credentials lets git read ${branches.join(", ")}.` : "",
      STATES: branches.join(", "),
      BRANCH: quoted(githubPattern(pipelined.branch)),
      ID_TOKEN: parts["oidc"] ? ", id-token: write" : "",
    },
    blocks: {
      ...blocks,
      package: packageOf(pipelined.package).map(([name, value]) => `${name}: ${value}`),
      secrets: secretsOf(pipelined).map((name) => `${name}: \${{ secrets.${name} }}`),
    },
  };
}

/** To a filter these letters are a pattern. */
const githubPattern = (name: string) => name.replace(/[\\*?+[\]!]/g, "\\$&");

function gitlab(pipelined: Pipelined): Filling {
  const { words, parts, blocks } = common(pipelined);
  const isReadable = isOpen(pipelined) || pipelined.states.every(isKeptByGitlab);
  return {
    parts: { ...parts, compare: isReadable },
    words: {
      ...words,
      COMPARE: isReadable ? "$COMPARE" : "--no-state",
      INSTALL_ENV: passedOn(INSTALL_ENV),
      PACKAGE_ENV: passedOn(packageOf(pipelined.package).map(([name]) => name)),
    },
    blocks: {
      ...blocks,
      values: valuesOf(pipelined).map(
        ([name, value]) => `${name}: { value: ${value}, expand: false }`,
      ),
    },
  };
}

function azure(pipelined: Pipelined): Filling {
  const { words, parts, blocks } = common(pipelined);
  const { branch } = pipelined;
  const branches = branchesOf(pipelined);
  const own = stateRepositoryOf(pipelined);
  return {
    parts: { ...parts, own: own !== undefined },
    words: {
      ...words,
      REPOSITORY: own ?? "",
      // The run of a pull request cannot read that repository.
      ...(own !== undefined && { COMPARE: " --no-state" }),
      PUSHES: branches.length > 0 ? `, and reads and pushes ${branches.join(", ")}` : "",
      BRANCH: quoted(branch),
      AT_BRANCH: `eq(variables['Build.SourceBranch'], ${words["REF"]})`,
    },
    blocks: {
      ...blocks,
      secrets: secretsOf(pipelined).map((name) => `${name}: $(${name})`),
    },
  };
}
