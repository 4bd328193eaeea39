// The built command → how its calls compare with a bare node, a script and a bare loop: a table, and test-output/bench.json.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openKeepings } from "../run/keepings.js";
import type { Keeping } from "../run/kept.js";
import { BIN, PROJECT } from "../support/run.js";
import { oldFile, oldFileOfWorlds, portalFile, servedFile, TARGET, writeFiles } from "./files.js";
import { measure, type Call, type Figure } from "./measure.js";
import { keysOf, withSandbox, type Served } from "./served.js";
import { tableOf } from "./table.js";

const BARE: Call = { name: "node -e 0", words: ["-e", "0"] };
const MANY = 1000;
const VERY_MANY = 10_000;
const HERE = join(PROJECT, "test/bench");

/** This build, and another one beside it where a variable names its dist/bin.cjs. */
const { BENCH_AGAINST: against } = process.env;
const builds = [
  { name: "", bin: BIN },
  ...(against === undefined ? [] : [{ name: ", the other build", bin: against }]),
];

/** `npm run bench -- one` measures that group alone. */
const GROUPS = {
  quick,
  offline,
  one: (folder: string) => withSandbox(1, (served) => onePortal(served, folder)),
  places,
  many: (folder: string) => withSandbox(2 * MANY, (served) => manyLive(served, folder)),
} as const satisfies Record<string, (folder: string) => Promise<Figure[]>>;

async function main(): Promise<void> {
  const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  const asked = process.argv.slice(2);
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

async function quick(folder: string): Promise<Figure[]> {
  writeFileSync(join(folder, "portal.yaml"), portalFile("portal"));
  writeFileSync(join(folder, "config.js"), oldFile(40_000));
  writeFileSync(join(folder, "worlds.js"), oldFileOfWorlds(40_000));
  const plan = ["plan", "--offline", "portal.yaml"];
  const calls: Call[] = [
    { name: "--version", words: ["--version"], target: 1.3 },
    { name: "--help", words: ["--help"], target: 1.3 },
    { name: "validate, one file", words: ["validate", "portal.yaml"], target: 2.2 },
    { name: "plan, one file, offline", words: plan, target: 2.4 },
    { name: "explain tokenExpiration", words: ["explain", "tokenExpiration"], target: 2 },
    { name: `schema ${TARGET}`, words: ["schema", TARGET], target: 2 },
    { name: "migrate, 40 kB", words: ["migrate", "config.js", "--target", TARGET], target: 22 },
    {
      name: "migrate, 40 kB, 40 worlds",
      words: ["migrate", "worlds.js", "--target", TARGET],
      target: 44,
    },
  ];
  const all = calls.flatMap((call) =>
    builds.flatMap(({ name, bin }): Call[] => {
      const { target: _, ...rest } = { ...call, words: [bin, ...call.words] };
      const own = name === "" ? { ...call, words: rest.words } : rest;
      return [
        { ...own, name: `${call.name}${name}` },
        { ...rest, name: `${call.name}${name}, fresh home`, ...freshHome(folder) },
      ];
    }),
  );
  // What V8 compiles is kept by the second call.
  await measure(all, 2, folder);
  return await measure([BARE, ...all], 31, folder);
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
  writeFiles(join(folder, "very-many"), VERY_MANY, portalFile);
  const plan = (name: string) => [BIN, "plan", "--offline", name];
  const many: Call = {
    name: "plan, 1,000 files, offline",
    words: plan("many"),
    target: 35,
    targetMiB: 100,
  };
  const validate: Call = { name: "validate, 1,000 files", words: [BIN, "validate", "many"] };
  const veryMany: Call = {
    name: "plan, 10,000 files, offline",
    words: plan("very-many"),
    target: 7,
    targetMiB: 200,
  };
  const [, ...first] = await measure([BARE, validate, many], 5, folder);
  const [, ...second] = await measure([many, veryMany], 3, folder);
  return [...first, ...second];
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
  return measure([bare, apply], 15, folder);
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
  return [
    ...(await measure([bare("plan"), plan], 3, folder)),
    ...(await measure([bare("apply"), apply], 3, folder)),
  ];
}

await main();
