// Reads from desired-state files what their pipeline depends on: sign-ins, states, hosts and paths.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkFile } from "../document/check/check-file.js";
import { findFiles } from "../document/find.js";
import { desiredOf } from "../document/read/desired.js";
import { repositoryOf } from "../document/read/repository.js";
import { nodeAt, textOf, toJson } from "../document/read/tree.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { entryFor, originOf } from "../hosts.js";
import type { Io } from "../io.js";
import { PIPELINE_FILES, type PipelineKind } from "../pipelines/pipeline.js";
import { isCron, UNATTENDED, type Pipelined } from "../pipelines/pipelined.js";
import { DEFAULT_SIGN_IN_METHOD } from "../sign-in.js";
import { DEFAULT_STATE, stateHostOf } from "../state-address/kinds.js";
import { fieldsOf } from "./init/begun-file.js";
import { defaultBranchOf } from "./init/default-branch.js";
import { policyPaths } from "./init/what-matters.js";

/** What a pipeline depends on in one file. */
export interface PortalFacts {
  readonly method: string;
  readonly state: string;
  /** The file, its bases and its policies. */
  readonly paths?: readonly string[];
  /** Of the portal, and of its sign-in. */
  readonly url?: string | undefined;
  readonly signInUrl?: string | undefined;
}

interface NamedFacts extends PortalFacts {
  readonly file: string;
  /** The state as the file says it; undefined where it says none. */
  readonly said: string | undefined;
}

interface Read {
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly portals: readonly NamedFacts[];
}

/** `usual` is the state of a file that names none. */
export async function readFacts(
  targets: readonly string[],
  io: Io,
  usual: () => string,
): Promise<Read> {
  const files = await findFiles(targets, io.cwd);
  const checked = await Promise.all(
    files.map(async (file) => ({ ...(await checkFile(file, io)), file })),
  );
  const diagnostics = checked.flatMap((each) => each.diagnostics);
  if (hasErrors(diagnostics)) return { files, diagnostics, portals: [] };
  const portals = checked.flatMap(({ file, root, paths }) => {
    if (!root) return [];
    const node = nodeAt(root, ["signIn", "method"]);
    const method = node && toJson(node);
    const { state: said } = desiredOf(file, root);
    const folder = resolve(io.cwd, dirname(file), DEFAULT_STATE.replace("file:", ""));
    return {
      file,
      said,
      method: typeof method === "string" ? method : DEFAULT_SIGN_IN_METHOD,
      state: said ?? (existsSync(folder) ? DEFAULT_STATE : usual()),
      paths: [...paths, ...policyPaths(root)],
      url: textOf(nodeAt(root, ["portal", "url"])),
      signInUrl: textOf(nodeAt(root, ["signIn", "url"])),
    };
  });
  return { files, diagnostics, portals };
}

export function factsOf(
  portals: readonly PortalFacts[],
  { env }: Io,
): Pick<Pipelined, "variables" | "states" | "hosts"> {
  const fields = portals.flatMap(({ method }) => Object.values(fieldsOf(method)));
  return {
    variables: [...new Set(fields.flatMap(({ variable }) => variable ?? []))],
    states: [...new Set(portals.map(({ state }) => state))],
    hosts: hostsOf(portals, env),
  };
}

/** Hosts that come from references have to be listed by hand. */
function hostsOf(portals: readonly PortalFacts[], env: Io["env"]): string[] {
  const addresses = portals.flatMap(({ url, signInUrl, state }) => [
    ...[url, signInUrl].map((each) => (each && URL.canParse(each) ? new URL(each) : undefined)),
    ...withTokens(stateHostOf(state, env)),
  ]);
  const plain = addresses.filter((each) => each && !originOf(each).includes("$"));
  return [...new Set(plain.flatMap((each) => (each ? entryFor(each) : [])))].toSorted();
}

/** A bucket of Amazon's, and the service of its region that takes the token of a job. */
function withTokens(host: URL | undefined): (URL | undefined)[] {
  const [, place] = /\.s3\.([\w-]+\.amazonaws\.com(?:\.cn)?)$/.exec(host?.hostname ?? "") ?? [];
  return [host, ...(place === undefined ? [] : [new URL(`https://sts.${place}`)])];
}

/** What the pipeline of a repository says itself. */
export interface WrittenPipeline {
  readonly branch: string;
  readonly hasClock: boolean;
  readonly cron: string | undefined;
}

/** Undefined where the repository has no pipeline of this platform. */
export function writtenPipeline(io: Io, kind: PipelineKind): WrittenPipeline | undefined {
  const root = repositoryOf(join(io.cwd, "portal.yaml")) ?? io.cwd;
  const path = join(root, PIPELINE_FILES[kind]);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const [, cron = ""] = /(?:cron:|pipeline schedule) "([^"]+)"/.exec(text) ?? [];
  return {
    branch: defaultBranchOf(io, root),
    hasClock: text.includes(UNATTENDED),
    cron: isCron(cron) ? cron : undefined,
  };
}
