// Advises what to commit after a first apply.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isTracked, repositoryOf } from "../document/read/repository.js";
import { isPipeline, type Io } from "../io.js";
import type { Styles } from "../report/styles.js";
import { wrap } from "../report/text-layout.js";
import type { FleetResult } from "../apply/apply-fleet.js";
import type { PortalContext } from "../apply/portal-context.js";
import { DEFAULT_STATE } from "../state-address/kinds.js";
import { shellWord } from "../lib/text.js";
import { usualState } from "./init/state-choice.js";

export interface ToCommit {
  readonly file: string;
  readonly paths: readonly string[];
  /** Where its state is. */
  readonly folder: string;
}

/** More files than these are added with the folders that they lie in. */
const MOST_NAMED = 1;

/** Undefined where there is nothing new to keep, or it lies where no repository would have it, or a pipeline sees to it. */
export function toCommit(
  { result: { plan }, applied }: FleetResult,
  io: Pick<Io, "cwd" | "env">,
): ToCommit | undefined {
  if (!applied) return undefined;
  const { desired, identity } = applied;
  const folder = folderBeside(applied);
  if (plan?.binding.state !== null || folder === undefined || isPipeline(io.env)) return undefined;
  const path = resolve(io.cwd, folder, identity.key);
  const repository = repositoryOf(path);
  const isKept =
    repository !== undefined &&
    existsSync(path) &&
    readdirSync(path).some((name) =>
      isTracked(io, repository, realpathSync.native(join(path, name))),
    );
  if (isKept) return undefined;
  // The schema that init wrote beside the file.
  const schema = join(dirname(desired.file), `desired-state-${desired.target.known}.schema.json`);
  const hasSchema = existsSync(resolve(io.cwd, schema));
  return {
    file: desired.file,
    paths: hasSchema ? [...desired.paths, schema] : desired.paths,
    folder,
  };
}

/** What does not stand beside the file is not in its repository. */
function folderBeside({ desired, stateAddress }: Placed): string | undefined {
  const [, own] = /^file:(?![/\\]|\.\.|[a-z]:)(.+)$/i.exec(stateAddress.address) ?? [];
  return own === undefined ? undefined : join(dirname(desired.file), own);
}

type Placed = Pick<PortalContext, "desired" | "stateAddress">;

/** How others learn of a hold that stands in a folder of the repository. */
export function sharingText(portal: Placed, io: Pick<Io, "cwd">): string {
  const folder = folderBeside(portal);
  if (folder === undefined || !repositoryOf(resolve(io.cwd, folder))) return "";
  return `Other checkouts learn of it when you commit and push the state:\n  ${gitAdd([], [folder], io)}\n`;
}

/** What to call where the command was called. */
export function gitAdd(
  paths: readonly string[],
  folders: readonly string[],
  io: Pick<Io, "cwd">,
): string {
  const fromHere = (path: string) => (isAbsolute(path) ? relative(io.cwd, path) : path);
  const named = [...new Set(paths.map(fromHere))];
  const files = named.length > MOST_NAMED ? named.map(folderOf) : named;
  const all = [...new Set([...files, ...folders.map(fromHere)])];
  const words = all.filter((path) => !all.some((above) => path.startsWith(`${above}/`)));
  return `git add ${words.map(shellWord).join(" ")}`;
}

/** A file in this folder is named without it, because "." would name everything. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === "." ? path : folder;
}

export function keepingText(first: readonly ToCommit[], io: Io, { width }: Styles): string {
  const line = (text: string) => `${wrap(text, width).join("\n")}\n`;
  const paths = first.flatMap((each) => each.paths);
  const folders = first.map(({ folder }) => folder);
  const [{ file } = { file: "" }] = first;
  const begin = repositoryOf(resolve(io.cwd, file)) === undefined ? "  git init\n" : "";
  const text = `${line("Commit the state with the file, after this apply and every later one:")}${begin}  ${gitAdd(paths, folders, io)}
`;
  const other = usualState(resolve(io.cwd, file), io);
  if (other === DEFAULT_STATE) return text;
  const moved = [...new Set(first.map((each) => each.file))];
  const all = (moved.length > MOST_NAMED ? [...new Set(moved.map(dirname))] : moved).map(shellWord);
  return `${text}${line("Or let Lintel keep the state on its own branch:")}  lintel state move ${all.join(" ")} ${other}
`;
}
