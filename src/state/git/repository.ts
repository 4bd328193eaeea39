// A desired-state file's folder and a remote's name → the repository that holds it, with a place of our own for objects: nothing of it is touched.
import { existsSync, promises as files, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Io } from "../../io.js";
import type { BranchAddress } from "../../state-address/branch.js";
import {
  isUsable,
  openNamedRepository,
  openRepository,
  settingOf,
  type Repository,
  type Setting,
} from "../../lib/git.js";
import { openEchoes } from "./echoes.js";
import * as refusal from "./refusal.js";

// How it works. Git is called with the repository's own folder, so that all of its configuration holds, that of
// includes which ask where they are too. Only what is shared between work trees is elsewhere: objects, the list of
// shallow commits and a configuration which takes in the repository's own, in a folder that ends with the run. Refs
// would still be the repository's, so that nothing here writes one: what is fetched is known by its digest, and what is
// pushed goes to a remote of another name, of which git remembers no branches.

/** Where git works for a run; to be closed at its end. */
export interface Workshop {
  /** As git is to call the remote. */
  readonly remote: string;
  /** The surroundings may hold more, such as what an author is called. */
  readonly git: Repository["run"];
  /** In the repository itself, with all that it remembers; for reading alone. */
  readonly asItStands: Repository["run"];
  readonly close: () => Promise<void>;
}

interface Found {
  readonly repository: Repository;
  /** As the repository calls the remote. */
  readonly remote: string;
  readonly paths: Readonly<Record<"objects" | "config" | "shallow", string>>;
  readonly objectFormat: string;
  readonly hasOwnConfig: boolean;
  /** Of the remote, without a user or a password. */
  readonly address: string;
  /** What is said of the remote, but for what git remembers of its branches. */
  readonly settings: readonly Setting[];
}

const OF_REMOTE = /\.(url|pushurl|proxy|proxyauthmethod|receivepack|uploadpack|vcs|serveroption)$/i;

/** Fails with bad-state-address where no state can be kept on that branch, as far as the repository itself tells. */
export async function findRepository(
  from: string,
  { name, remote: asked, file }: BranchAddress & { readonly file: string },
  io: Io,
): Promise<Found> {
  const repository = openRepository(io, from) ?? openNamedRepository(io, from);
  if (!isUsable(repository)) throw refusal.noRepository(file, from, repository);
  const { root, settings } = repository;
  const ask = async (...words: string[]) => {
    const { exit, stdout } = await repository.run(words);
    return exit === 0 ? stdout.toString("utf8") : "";
  };
  const paths = ["objects", "config", "shallow"].flatMap((path) => ["--git-path", path]);
  const [head, trees, shown] = await Promise.all([
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("worktree", "list", "--porcelain"),
    ask("rev-parse", "--show-object-format", ...paths),
  ]);
  const branch = /^refs\/heads\/(.+)\n$/.exec(head)?.[1];
  const remote = remoteOf(settings, asked, branch, file);
  const hasOwnConfig = settings.some(
    ([each, value]) => each === "extensions.worktreeconfig" && /^(true|yes|on|1|)$/i.test(value),
  );
  const checkedOut = [...trees.matchAll(/^branch refs\/heads\/(.+)$/gm)].map(([, own = ""]) => own);
  if (checkedOut.includes(name)) throw refusal.checkedOut({ name });
  const [objectFormat = "sha1", ...rest] = shown.split("\n");
  const [objects = "", config = "", shallow = ""] = rest.map((each) => resolve(root, each));
  return {
    repository,
    paths: { objects, config, shallow },
    objectFormat,
    remote,
    hasOwnConfig,
    address: (settingOf(settings, `remote.${remote}.url`) ?? "").replace(/\/\/[^/]*@/, "//"),
    settings: settings
      .filter(([each]) => each.startsWith(`remote.${remote}.`) && OF_REMOTE.test(each))
      .map(([each, value]) => [each.slice(`remote.${remote}.`.length), value]),
  };
}

/** A name alone: an address could lead anywhere, and git's credentials with it. */
function remoteOf(
  settings: readonly Setting[],
  asked: string | undefined,
  branch: string | undefined,
  file: string,
): string {
  const remotes = new Set(
    settings.flatMap(([name]) => /^remote\.(.+)\.url$/s.exec(name)?.[1] ?? []),
  );
  const upstream = settings.find(([name]) => name === `branch.${branch}.remote`)?.[1];
  const usual = upstream !== undefined && remotes.has(upstream) ? upstream : "origin";
  const [first] = remotes;
  const only = remotes.size === 1 ? first : undefined;
  const found = [asked ?? usual, asked === undefined ? only : undefined].find(
    (name) => name !== undefined && remotes.has(name),
  );
  if (found === undefined) throw refusal.noRemote(asked ?? "origin", [...remotes], file);
  return found;
}

export async function openWorkshop(found: Found, io: Io): Promise<Workshop> {
  await sweep(io);
  const home = await files.mkdtemp(join(tmpdir(), `${PREFIX}${io.machine.pid}-`));
  // No remote of the repository has this name.
  const remote = basename(home);
  const { repository, settings } = found;
  await furnish(home, found);
  const told = Number(io.env["GIT_CONFIG_COUNT"]) || 0;
  // Not on a command line nor in a file: an address may hold a password.
  const config = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${told + at}`, `remote.${remote}.${name}`],
    [`GIT_CONFIG_VALUE_${told + at}`, value],
  ]);
  const env = {
    GIT_COMMON_DIR: home,
    GIT_CONFIG_COUNT: String(told + settings.length),
    ...(Object.fromEntries(config) as Record<string, string>),
  };
  const call: Workshop["git"] = (words, called) =>
    repository.run(words, { ...called, env: { ...env, ...called?.env } });
  const withoutEchoes = openEchoes(repository.run, found.remote);
  return {
    remote,
    git: async (words, called) => withoutEchoes(await call(words, called)),
    asItStands: repository.run,
    close: () => files.rm(home, { recursive: true, force: true }),
  };
}

const PREFIX = "lintel-git-";
/** Another container may share the folder, and number its processes otherwise. */
const LEFT_FOR_MS = 24 * 60 * 60 * 1000;

/** Takes away what runs have left behind that were killed. */
async function sweep(io: Io): Promise<void> {
  const names = await files.readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid] = /^lintel-git-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || io.machine.isRunning(Number(pid), undefined)) continue;
    const path = join(tmpdir(), name);
    const found = await files.lstat(path).catch(() => undefined);
    if (!found || io.now() - found.mtimeMs < LEFT_FOR_MS) continue;
    // Of another user it cannot be taken away.
    await files.rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function furnish(home: string, { repository, paths, objectFormat, hasOwnConfig }: Found) {
  for (const name of ["objects/info", "refs"])
    await files.mkdir(join(home, name), { recursive: true });
  const quote = (text: string) =>
    `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
  const include = (path: string) => `[include]\n\tpath = ${quote(path)}\n`;
  const isUsual = objectFormat === "sha1";
  await files.writeFile(
    join(home, "config"),
    [
      include(paths.config),
      hasOwnConfig ? include(join(repository.folder, "config.worktree")) : "",
      `[core]\n\trepositoryformatversion = ${isUsual ? 0 : 1}\n\tbare = true\n`,
      "\tlogAllRefUpdates = false\n",
      isUsual ? "" : `[extensions]\n\tobjectFormat = ${objectFormat}\n`,
      "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[fetch]\n\twriteCommitGraph = false\n",
    ].join(""),
    { mode: 0o600 },
  );
  // What the repository has need not be fetched, and its refs stay whole.
  await files.writeFile(join(home, "objects/info/alternates"), `${paths.objects}\n`);
  if (existsSync(paths.shallow)) {
    await files.writeFile(join(home, "shallow"), readFileSync(paths.shallow));
  }
}
