// Programs that a change under review brings into a checkout, wherever git would look for some: no command of Lintel runs one.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Checkout as ServeCheckout } from "../../src/serve/checkout.js";
import { openClone } from "../../src/serve/queue/clone.js";
import { listCheckout } from "../../src/serve/queue/listing.js";
import { queuePlace } from "../serve/queue/queue-place.js";
import { io as realIo } from "../state/places.js";
import { AS_EVE, makeServer, run, type Server } from "../state/repositories.js";
import { stateAfter } from "../state/samples.js";
import { openStateAt, processIo } from "../state/stores.js";
import { folderOf, OWN_HOSTS, type Environment, type Ran } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";
import { call } from "./call.js";

/** Adds what a change brings; `mark` makes the text of a program. */
type Plant = (clone: string, server: Server, mark: (name: string) => string) => void;

interface Checkout {
  readonly server: Server;
  /** A clone of what was merged, and the folder of its file. */
  readonly path: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  run(line: string, env?: Environment): Promise<Ran>;
  git(...words: string[]): string;
  /** Merges one more change on the server. */
  merge(change: (clone: string) => void): void;
  /** Which of the planted programs have run. */
  ran(): readonly string[];
}

/** A clone of a repository whose main branch holds a portal's file, and what was planted. */
async function openCheckout(plant: Plant, gitFirst?: string): Promise<Checkout> {
  const sandbox = await openSandbox();
  const server = makeServer();
  const marks = join(server.home, "marks");
  mkdirSync(marks);
  const mark = (name: string) => `touch ${marks}/${name}; :`;
  const as = { ...server.env, ...AS_EVE };
  const merge = (change: (clone: string) => void) => {
    const clone = server.clone("author");
    change(clone);
    run(clone, as, ["add", "--all", "--force", "."]);
    run(clone, as, ["commit", "--quiet", "--message", "change"]);
    run(clone, as, ["push", "--quiet", "origin", "HEAD:main"]);
    rmSync(clone, { recursive: true });
  };
  merge((clone) => {
    write(join(clone, "portals/portal.yaml"), fileFor(sandbox, `state: file:.lintel\n${BANNER}`));
    plant(clone, server, mark);
  });
  const path = server.clone("checkout");
  const { PATH = "" } = server.env;
  const env = {
    ...server.env,
    ...keysOf(sandbox),
    LINTEL_ALLOWED_HOSTS: OWN_HOSTS,
    ...(gitFirst !== undefined && { PATH: `${gitFirst}:${PATH}` }),
  };
  return {
    server,
    path,
    folder: join(path, "portals"),
    env,
    run: (line, more = {}) => call(line.split(" "), { cwd: path, env: { ...env, ...more } }),
    git: (...words) => run(path, server.env, words),
    merge,
    ran: () => readdirSync(marks).toSorted(),
  };
}

const BANNER = "settings: { informationalBanner: { text: Welcome, enabled: true } }\n";

function write(path: string, text: string, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Every setting of git that names a program, as a file of its configuration. */
function programs(mark: (name: string) => string, hooks: string): string {
  const [ssh, planted] = [mark("core.sshCommand"), mark("filter")];
  return `[core]
	fsmonitor = "${mark("core.fsmonitor")}"
	sshCommand = "${ssh}"
	hooksPath = ${hooks}
	pager = "${mark("core.pager")}"
	editor = "${mark("core.editor")}"
	askPass = "${mark("core.askPass")}"
	gitProxy = "${mark("core.gitProxy")}"
	alternateRefsCommand = "${mark("core.alternateRefsCommand")}"
[alias]
	status = "!${mark("alias")}"
	fetch = "!${mark("alias")}"
[credential]
	helper = "!${mark("credential.helper")}"
[diff]
	external = "${mark("diff.external")}"
[diff "planted"]
	textconv = "${mark("diff.textconv")}"
	command = "${mark("diff.command")}"
[gpg]
	program = "${mark("gpg.program")}"
[commit]
	gpgSign = true
[merge]
	verifySignatures = true
[submodule]
	recurse = true
[protocol "ext"]
	allow = always
[filter "planted"]
	clean = "${planted} ; cat"
	smudge = "${planted} ; cat"
	required = true
`;
}

const HOOKS = [
  "post-merge",
  "post-checkout",
  "reference-transaction",
  "pre-push",
  "post-index-change",
];

function plantHooks(folder: string, mark: (name: string) => string): void {
  for (const hook of HOOKS) write(join(folder, hook), `#!/bin/sh\n${mark(hook)}\n`, 0o755);
}

/** A bare repository with a commit, an upstream and every program, as plain files beside portal.yaml. */
const plantRepository: Plant = (clone, server, mark) => {
  const folder = join(clone, "portals");
  const git = (...words: string[]) => run(clone, server.env, [`--git-dir=${folder}`, ...words]);
  run(clone, server.env, ["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  const refs = ["main:refs/heads/main", "main:refs/remotes/origin/main"];
  git("fetch", "--quiet", server.folder, ...refs);
  plantHooks(join(folder, "planted"), mark);
  write(join(folder, ".gitattributes"), "* filter=planted diff=planted\n");
  const remote = "ssh://git@localhost/planted";
  write(
    join(folder, "config"),
    `[core]
	repositoryformatversion = 0
	bare = false
	worktree = ..
[remote "origin"]
	url = ${remote}
	uploadpack = "${mark("remote.uploadpack")}"
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
${programs(mark, "portals/planted")}`,
  );
};

/** Git before 2.38 does not know safe.bareRepository. */
function olderGit(): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const { PATH = "" } = process.env;
  write(
    join(folder.path, "git"),
    `#!/bin/sh
for word do
  shift
  case "$word" in
    -c) last=-c; continue ;;
    safe.bareRepository=*) [ "$last" = -c ] && { last=; continue; } ;;
  esac
  [ "$last" = -c ] && { set -- "$@" -c; last=; }
  set -- "$@" "$word"
done
PATH='${PATH}' exec git "$@"
`,
    0o755,
  );
  return folder.path;
}

async function pullOnce({ folder, env }: Checkout) {
  const own = { ...realIo, env };
  const options = { meanwhile: "", report: () => {}, onPulled: () => {} };
  return new ServeCheckout(own, folder, options).pull();
}

async function listOnce({ folder, path, env }: Checkout) {
  const own = { ...realIo, env, cwd: path };
  const file = join(folder, "portal.yaml");
  const portal = { name: "portal", url: "https://gis.example.com/portal/sharing/rest", id: "self" };
  const marks = new Map([[file, ""]]);
  const files = new Map([[file, { file, portal, key: "portal", windows: [], marks }]]);
  const { database } = await (await queuePlace()).open();
  return listCheckout(database, {
    io: own,
    files,
    changed: new Set([file]),
    isFirst: true,
    poolOf: () => "default",
  });
}

/** Fetches the branch as a worker does, and plans in its files. */
async function planAsWorker({ server, env }: Checkout, more: Environment = {}) {
  const own = { ...env, ...more } as Record<string, string>;
  const folder = join(server.home, "clones");
  const io = { ...realIo, env: own };
  const clone = await openClone({ io, remote: server.folder, branch: "main", folder });
  return clone.within(await clone.fetch(), (cwd) =>
    call(["plan", "portals/portal.yaml", "--offline"], { cwd, env: own }),
  );
}

async function writeState({ folder, env }: Checkout) {
  const io = processIo({ env, cwd: folder });
  const opened = openStateAt("git:lintel-state", { io });
  const { version } = await opened.store.read();
  await opened.store.write(stateAfter(1), version);
  await opened.close();
}

/** Each command that asks git something → whether it did what it is for. */
const COMMANDS: Readonly<Record<string, (checkout: Checkout) => Promise<void>>> = {
  "plan with a page": async (checkout) => {
    const out = join(checkout.server.home, "plan.html");
    const planned = await checkout.run(`plan portals/portal.yaml --offline --output html=${out}`);
    expect(planned).toMatchObject({ exit: 0 });
    expect(existsSync(out)).toBe(true);
  },
  apply: async (checkout) => {
    expect(await checkout.run("apply portals/portal.yaml --yes")).toMatchObject({ exit: 0 });
    const { stdout } = await checkout.run("history portals/portal.yaml --output json");
    const { history } = JSON.parse(stdout) as { history: { by: { commit?: string } }[] };
    expect(history.map(({ by }) => by.commit)).toEqual([checkout.git("rev-parse", "HEAD").trim()]);
  },
  "serve --pull": async (checkout) => {
    expect(await pullOnce(checkout)).toMatchObject({ is: "newest" });
    checkout.merge((clone) => writeFileSync(join(clone, "README.md"), "Changed\n"));
    expect(await pullOnce(checkout)).toMatchObject({ is: "moved" });
    expect(checkout.git("rev-parse", "HEAD")).toBe(checkout.git("rev-parse", "@{upstream}"));
  },
  "serve --queue": async (checkout) => {
    expect(await listOnce(checkout)).toMatchObject({ is: "listed" });
  },
  worker: async (checkout) => {
    expect(await planAsWorker(checkout)).toMatchObject({ exit: 0 });
  },
  "state: git:…": async (checkout) => {
    await writeState(checkout);
    expect(checkout.server.subjects()).toHaveLength(1);
  },
  init: async (checkout) => {
    const url = "--url https://gis.example.com/portal/sharing/rest --target 11.5";
    const address = `https://packages.example.com/l.tgz#sha256=${"0".repeat(64)}`;
    const words = `--ci gitlab --state git:states --package ${address}`;
    const begun = await checkout.run(`init portals/new.yaml ${url} ${words}`);
    expect(begun.stderr).toBe("");
  },
};

const GITS: Readonly<Record<string, () => string | undefined>> = {
  "git as it is here": () => undefined,
  "git that knows no safe.bareRepository": olderGit,
};

describe.each(Object.entries(GITS))("%s", (_, gitFirst) => {
  describe("a bare repository among the files runs nothing:", () => {
    test.each(Object.entries(COMMANDS))("%s", async (_name, command) => {
      const checkout = await openCheckout(plantRepository, gitFirst());
      await command(checkout).finally(() => expect(checkout.ran()).toEqual([]));
    });
  });
});

describe("hooks that the repository tracks, as core.hooksPath names them, do not run:", () => {
  test.each(Object.entries(COMMANDS))("%s", async (_name, command) => {
    const checkout = await openCheckout((clone, _server, mark) =>
      plantHooks(join(clone, ".hooks"), mark),
    );
    checkout.git("config", "core.hooksPath", ".hooks");
    await command(checkout).finally(() => expect(checkout.ran()).toEqual([]));
  });
});

describe.each([
  [["clean", "smudge"], "planted"],
  [["process"], "with.a.dot"],
])(
  "filters that the repository tracks, as filter.NAME.%s names them, do not run:",
  (kinds, name) => {
    test.each(Object.entries(COMMANDS))("%s", async (_name, command) => {
      const checkout = await openCheckout((clone, _server, mark) => {
        write(join(clone, "filter.sh"), `#!/bin/sh\n${mark("filter")}\ncat\n`, 0o755);
        write(join(clone, ".gitattributes"), `* filter=${name}\n`);
      });
      for (const kind of kinds) checkout.git("config", `filter.${name}.${kind}`, "./filter.sh");
      checkout.git("config", `filter.${name}.required`, "true");
      // Git compares a file's content, and so runs the filter, where its time differs from the index.
      utimesSync(join(checkout.folder, "portal.yaml"), 0, 0);
      await command(checkout).finally(() => expect(checkout.ran()).toEqual([]));
    });
  },
);

test("programs of the branch, as the configuration of a worker's user names them, do not run", async () => {
  const checkout = await openCheckout((clone, _server, mark) => {
    plantHooks(join(clone, ".hooks"), mark);
    write(join(clone, "filter.sh"), `#!/bin/sh\n${mark("filter")}\ncat\n`, 0o755);
    write(join(clone, ".gitattributes"), "* filter=planted\n");
  });
  const home = join(checkout.server.home, "worker");
  write(
    join(home, ".gitconfig"),
    `[core]
	hooksPath = .hooks
	fsmonitor = ./filter.sh
[filter "planted"]
	clean = ./filter.sh
	smudge = ./filter.sh
	required = true
`,
  );
  const planned = planAsWorker(checkout, { HOME: home }).finally(() =>
    expect(checkout.ran()).toEqual([]),
  );
  expect(await planned).toMatchObject({ exit: 0 });
});

/** Ways on which git takes a tracked file for configuration → what else the environment holds. */
const TRACKED: Readonly<Record<string, (checkout: Checkout) => Environment>> = {
  "that .git/config includes": (checkout) => {
    checkout.git("config", "include.path", "../.gitconfig");
    return {};
  },
  "that .git/config includes for this folder, by a way through a link": ({
    path,
    server,
    ...checkout
  }) => {
    symlinkSync(path, join(server.home, "way"));
    checkout.git("config", `includeIf.gitdir:${path}/.path`, join(server.home, "way/.gitconfig"));
    return {};
  },
  "that .git/config includes, and that is a link": ({ path, ...checkout }) => {
    checkout.git("config", "include.path", "../linked.gitconfig");
    expect(lstatSync(join(path, "linked.gitconfig")).isSymbolicLink()).toBe(true);
    return {};
  },
  "of a home in the checkout": ({ path }) => ({ HOME: path }),
};

describe("configuration that the repository tracks runs nothing:", () => {
  const plant: Plant = (clone, server, mark) => {
    plantHooks(join(clone, "planted"), mark);
    write(join(clone, ".gitconfig"), programs(mark, "planted"));
    write(join(clone, ".gitattributes"), "* filter=planted diff=planted\n");
    write(join(server.home, "outside.gitconfig"), programs(mark, "planted"));
    symlinkSync("../outside.gitconfig", join(clone, "linked.gitconfig"));
  };
  const why = /" is part of git's configuration and tracked by the repository/;

  test.each(Object.entries(TRACKED))("one %s", async (_, include) => {
    const checkout = await openCheckout(plant);
    const more = include(checkout);
    const own = { ...checkout, env: { ...checkout.env, ...(more as Record<string, string>) } };
    const out = join(checkout.server.home, "plan.html");
    const page = `plan portals/portal.yaml --offline --output html=${out}`;
    expect(await checkout.run(page, more)).toMatchObject({ exit: 0 });
    expect(await checkout.run("apply portals/portal.yaml --yes", more)).toMatchObject({ exit: 0 });
    expect(await pullOnce(own)).toMatchObject({ is: "stuck", why: expect.stringMatching(why) });
    expect(await listOnce(own)).toMatchObject({ is: "withheld", why: expect.stringMatching(why) });
    await expect(writeState(own)).rejects.toMatchObject({
      code: "state-not-readable",
      message: expect.stringMatching(why),
      help: expect.stringContaining("git config --list --show-origin"),
    });
    expect(checkout.ran()).toEqual([]);
  });
});

test("the planted programs are run by plain git", async () => {
  const checkout = await openCheckout(plantRepository);
  const { folder, server } = checkout;
  const tryOut = (...words: string[]) => {
    try {
      run(folder, { ...server.env, GIT_DIR: folder }, words);
    } catch {
      // Some of the programs stand in the place of what git needs.
    }
  };
  tryOut("status");
  tryOut("fetch");
  tryOut("update-ref", "refs/heads/other", "main");
  cpSync(join(folder, "portal.yaml"), join(folder, "more.yaml"));
  tryOut("add", "more.yaml");
  const all = ["core.fsmonitor", "core.sshCommand", "filter", "reference-transaction"];
  expect(checkout.ran()).toEqual(expect.arrayContaining(all));
});
