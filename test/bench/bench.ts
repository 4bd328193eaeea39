// Compares the built command with a bare node, a script and a bare loop: a table, and test-output/bench.json.
import { spawnSync } from "node:child_process";
import { build } from "esbuild";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openKeepings } from "../run/keepings.js";
import type { Keeping } from "../run/kept.js";
import { installNode, isMajor } from "../../build/other-node.js";
import { BIN, PROJECT } from "../support/run.js";
import { oldFile, oldFileOfWorlds, portalFile, servedFile, TARGET, writeFiles } from "./files.js";
import { measure, type Call, type Figure } from "./measure.js";
import { STEP_NAMES } from "./steps.js";
import { keysOf, withSandbox, type Served } from "./served.js";
import { tableOf } from "./table.js";

const BARE: Call = { name: "node -e 0", words: ["-e", "0"] };
const MANY = 1000;
const HERE = join(PROJECT, "test/bench");

/** This build, and another one beside it where a variable names its dist/bin.cjs. */
const { BENCH_AGAINST: against } = process.env;
const builds = [
  { name: "", bin: BIN },
  ...(against === undefined ? [] : [{ name: ", the other build", bin: against }]),
];

/** `npm run bench -- one` measures that group alone, `npm run bench -- 24 one` on another Node. */
const GROUPS = {
  quick,
  phases,
  steps,
  offline,
  one: (folder: string) => withSandbox(1, (served) => onePortal(served, folder)),
  places,
  many: (folder: string) => withSandbox(2 * MANY, (served) => manyLive(served, folder)),
} as const satisfies Record<string, (folder: string) => Promise<Figure[]>>;

async function main(): Promise<void> {
  const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  const given = process.argv.slice(2);
  const asked = given.filter((word) => !isMajor(word));
  const majors = given.filter(isMajor);
  const measured = majors.map((major) => measureOn(installNode(major), asked));
  if (majors.length > 0) return void (process.exitCode = measured.every(Boolean) ? 0 : 1);
  const wanted = names.filter((name) => asked.length === 0 || asked.includes(name));

  const folder = mkdtempSync(join(tmpdir(), "lintel-bench-"));
  try {
    const figures: Figure[] = [];
    for (const name of wanted) figures.push(...(await GROUPS[name](folder)));
    console.log(tableOf(figures, portalFile("portal").split("\n").length - 1));
    mkdirSync(join(PROJECT, "test-output"), { recursive: true });
    const facts = { node: process.version, cores: cpus().length, figures };
    writeFileSync(join(PROJECT, "test-output/bench.json"), `${JSON.stringify(facts, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its calls run under the Node that it runs under itself. */
function measureOn(bin: string, asked: readonly string[]): boolean {
  const words = [join(PROJECT, "node_modules/tsx/dist/cli.mjs"), join(HERE, "bench.ts"), ...asked];
  return spawnSync(join(bin, "node"), words, { stdio: "inherit" }).status === 0;
}

async function quick(folder: string): Promise<Figure[]> {
  writeFileSync(join(folder, "portal.yaml"), portalFile("portal"));
  writeFileSync(join(folder, "config.js"), oldFile(40_000));
  writeFileSync(join(folder, "worlds.js"), oldFileOfWorlds(40_000));
  const plan = ["plan", "--offline", "portal.yaml"];
  const calls: Call[] = [
    { name: "--version", words: ["--version"], target: 1.4 },
    { name: "--help", words: ["--help"], target: 1.4 },
    { name: "validate, one file", words: ["validate", "portal.yaml"], target: 2.9 },
    { name: "plan, one file, offline", words: plan, target: 3.6 },
    { name: "explain tokenExpiration", words: ["explain", "tokenExpiration"] },
    { name: `schema ${TARGET}`, words: ["schema", TARGET] },
    { name: "migrate, 40 kB", words: ["migrate", "config.js", "--target", TARGET], target: 22 },
    {
      name: "migrate, 40 kB, 40 worlds",
      words: ["migrate", "worlds.js", "--target", TARGET],
      target: 44,
    },
  ];
  const all = calls.flatMap((call) =>
    builds.flatMap(({ name, bin }): Call[] => {
      const { target: most, ...rest } = { ...call, words: [bin, ...call.words] };
      return [
        {
          ...rest,
          name: `${call.name}${name}`,
          ...(name === "" && most !== undefined && { target: most }),
        },
        { ...rest, name: `${call.name}${name}, fresh home`, ...freshHome(folder) },
      ];
    }),
  );
  // What V8 compiles is kept by the second call.
  await measure(all, 2, folder);
  return await measure([BARE, ...all], 31, folder);
}

/** What a run of one file has taken where each of its phases begins. */
async function phases(folder: string): Promise<Figure[]> {
  writeFileSync(join(folder, "portal.yaml"), portalFile("portal"));
  return await withSandbox(1, async (served) => {
    let round = 0;
    const env = environmentOf(served);
    const before = () =>
      writeFileSync(join(folder, "served.yaml"), servedFile(served, "self", `Round ${++round}`));
    const commands: { name: string; words: string[]; more?: string[]; live?: Partial<Call> }[] = [
      { name: "validate", words: ["validate", "portal.yaml"] },
      { name: "plan --offline", words: ["plan", "--offline", "portal.yaml"] },
      {
        name: "plan",
        words: ["plan", "served.yaml"],
        more: ["the network"],
        live: { env, before },
      },
      {
        name: "apply",
        words: ["apply", "served.yaml", "--yes"],
        more: ["the network", "the lock"],
        live: { env, before },
      },
    ];
    const calls = commands.flatMap(({ name, words, more = [], live }) =>
      [
        "the front door",
        "the command's own chunks",
        "the settings file",
        ...more,
        "the report",
        "the end",
      ].map((phase): Call => {
        const stop = join(HERE, "stop.cjs");
        const call = { name: `${name}, before ${phase}`, words: ["-r", stop, BIN, ...words] };
        return { ...call, ...live, env: { ...live?.env, LINTEL_TEST_STOP: phase } };
      }),
    );
    await measure(
      calls.filter(({ name }) => name.endsWith("the end")),
      2,
      folder,
    );
    // Five sign-ins a round, of which the sandbox takes sixty a minute.
    const [, ...figures] = await measure([BARE, ...calls], 9, folder);
    return figures;
  });
}

function freshHome(folder: string): Pick<Call, "env" | "before"> {
  const home = join(folder, "fresh");
  return {
    env: { HOME: home },
    before() {
      rmSync(home, { recursive: true, force: true });
      mkdirSync(home);
    },
  };
}

async function offline(folder: string): Promise<Figure[]> {
  writeFiles(join(folder, "many"), MANY, portalFile);
  const plan = (name: string) => [BIN, "plan", "--offline", name];
  const many: Call = {
    name: "plan, 1,000 files, offline",
    words: plan("many"),
    target: 50,
    targetMiB: 100,
  };
  const validate: Call = {
    name: "validate, 1,000 files",
    words: [BIN, "validate", "many"],
    target: 32,
  };
  const asWanted: Call = {
    name: "plan, 1,000 files, offline, 990 as wanted",
    words: plan("applied"),
    target: 42,
    targetMiB: 100,
  };
  await withSandbox(MANY, (served) => applyMost(served, folder));
  const [, ...figures] = await measure([BARE, validate, many, asWanted], 5, folder);
  return figures;
}

/** All are applied, and then ten of them want something else. */
async function applyMost(served: Served, folder: string): Promise<void> {
  const text = (id: string) =>
    portalFile(id)
      .replace(/url: .*\/sharing\/rest/, `url: ${served.portalUrl}\n  id: ${id}`)
      .replace("https://accounts.example.com", served.signInUrl);
  writeFiles(join(folder, "applied"), MANY, text);
  const words = [BIN, "apply", "applied", "--yes", "--allow", "disconnect"];
  await measure([{ name: "apply", words, env: environmentOf(served) }], 1, folder);
  writeFiles(join(folder, "applied"), 10, (id) => text(id).replace("Read-only", "Closed"));
}

/** What each step of a check costs, with those before it; what a plan adds is the difference between the commands. */
async function steps(folder: string): Promise<Figure[]> {
  writeFiles(join(folder, "many"), MANY, portalFile);
  const program = join(folder, "steps.cjs");
  await build({
    entryPoints: [join(HERE, "steps.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  const calls = STEP_NAMES.map((name): Call => ({ name, words: [program, name, "many"] }));
  const commands = [
    { name: "validate", words: [BIN, "validate", "many"] },
    { name: "status --offline", words: [BIN, "status", "--offline", "many"] },
    { name: "plan --offline --quiet", words: [BIN, "plan", "--offline", "--quiet", "many"] },
    { name: "plan --offline", words: [BIN, "plan", "--offline", "many"] },
  ];
  const [, ...figures] = await measure([BARE, ...calls, ...commands], 5, folder);
  return figures.map((each) => ({ ...each, name: `1,000 files: ${each.name}` }));
}

const hasScript = ["bash", "curl", "jq"].every(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

function environmentOf(served: Served): Record<string, string> {
  const { portalUrl, signInUrl } = served;
  return { ...keysOf(served), PORTAL_URL: portalUrl, SIGN_IN_URL: signInUrl };
}

function onePortal(served: Served, folder: string): Promise<Figure[]> {
  const env = environmentOf(served);
  const bare: Call = hasScript
    ? { name: "bash, curl and jq", program: "bash", words: [join(HERE, "bare.sh")], env }
    : { name: "a bare loop", words: [join(HERE, "bare.mjs"), "apply", "1", "1"], env };
  let round = 0;
  const apply: Call = {
    name: "apply, one portal",
    words: [BIN, "apply", "served.yaml", "--yes"],
    env,
    target: 1.6,
    before: () =>
      writeFileSync(join(folder, "served.yaml"), servedFile(served, "self", `Round ${++round}`)),
  };
  // Two sign-ins a round, of which the sandbox takes sixty a minute.
  return measure([bare, apply], 27, folder);
}

/** The same apply with its state at each kind of place, as a ratio to the folder beside the file. */
async function places(folder: string): Promise<Figure[]> {
  chmodSync(folder, 0o755);
  const keepings = await openKeepings(folder);
  const kinds = [
    { name: "file:", fresh: async () => ({ address: "file:.lintel" }) },
    ...keepings.all,
  ];
  try {
    return await withSandbox(kinds.length, async (served) => {
      const calls = kinds.map(async (kind: Pick<Keeping, "name" | "fresh">, at): Promise<Call> => {
        const own = join(folder, `place-${at}`);
        mkdirSync(own);
        const { address, env = {} } = await kind.fresh(own);
        const path = join(own, "portal.yaml");
        let round = 0;
        return {
          name: `apply of one portal, state at ${kind.name}`,
          words: [BIN, "apply", path, "--yes"],
          env: { ...environmentOf(served), ...env },
          before: () =>
            writeFileSync(
              path,
              servedFile(served, `portal-${at + 1}`, `Round ${++round}`, address),
            ),
        };
      });
      return measure(await Promise.all(calls), 15, folder);
    });
  } finally {
    await keepings.close();
  }
}

async function manyLive(served: Served, folder: string): Promise<Figure[]> {
  const env = environmentOf(served);
  const bare = (mode: string): Call => ({
    name: `bare undici, 1,000 × ${mode}`,
    // At portals of its own: what it writes would be somebody's change by hand to an apply.
    words: [join(HERE, "bare.mjs"), mode, String(MANY), String(MANY + 1)],
    env,
  });
  let round = 0;
  const before = () =>
    writeFiles(join(folder, "served"), MANY, (id) => servedFile(served, id, `Round ${++round}`));
  const plan: Call = {
    name: "plan, 1,000 portals, live",
    words: [BIN, "plan", "served"],
    env,
    target: 2.2,
    targetMiB: 130,
    before,
  };
  const apply: Call = {
    name: "apply, 1,000 portals",
    words: [BIN, "apply", "served", "--yes"],
    env,
    target: 2.8,
    targetMiB: 130,
    before,
  };
  // What each adds to the one above it is what a step costs: to look, to carry out; the last looks, and has nothing to do.
  const offline: Call = {
    name: "plan, 1,000 portals, the same off the network",
    words: [BIN, "plan", "--offline", "served"],
    env,
    before,
  };
  const { before: _, target: __, targetMiB: ___, ...again } = apply;
  const nothing: Call = { ...again, name: "apply, 1,000 portals, all as wanted" };
  return [
    ...(await measure([bare("plan"), offline, plan], 3, folder)),
    ...(await measure([bare("apply"), apply, nothing], 3, folder)),
  ];
}

await main();
