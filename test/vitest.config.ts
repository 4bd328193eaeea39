// How the tests are found, run and counted; and which of them are too slow for the inner loop.
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { writeTexts } from "../build/texts.js";

/** Why a file is not among the fast tests. Whatever is not named here is, and starts no program and no browser. */
const SLOW: Readonly<Record<string, readonly string[]>> = {
  "a browser": [
    "migrate/hazard.test.ts",
    "preview/{browser,export,hostile}.test.ts",
    "report/html-browser.test.ts",
    "sandbox/browser.test.ts",
    "screenshots.test.ts",
    "serve/dashboard/{,views/}browser.test.ts",
  ],
  "the built command, or another program": [
    "{examples,fleets,load,manual,package,pictures,shell,start-pages,time}.test.ts",
    "cli/completion.test.ts",
    "commands/{ci-setup,cli,default-branch,documents,files,hook,hosts,init,log-commands,migrate-files,preview,pull-kill,sandbox,slips,tracked-links,unchecked-certificates}.test.ts",
    "editor/*.test.ts",
    "lib/git.test.ts",
    "document/{exfiltration,hostile,tracked}.test.ts",
    "migrate/{hostile,sealed,traced}.test.ts",
    "pipelines/{action,checkers,stories}.test.ts",
    "report/html.test.ts",
    "run/{accept,commands,fleet-interrupt,interrupt,interrupted-rollback,kill,late,many,move-git,move-http,older-checkout,open-journal,own-portal,planted,schedule-kill,side-by-side,team,unmerged,unsettled}.test.ts",
    "sandbox/foreign-clients.test.ts",
    "session/sign-ins.test.ts",
    "serve/{commits,pull,unit}.test.ts",
    "serve/dashboard/{actions,command,nginx}.test.ts",
    "serve/queue/{board,clone,damage,forward,limit,outage,overlap,portals,queue-store,served,status}.test.ts",
    "state/{file-store,git*,postgres,signed-places,stores,terraform}.test.ts",
  ],
  "more than two seconds": [
    "catalog/schema.test.ts",
    "commands/{diff,history-lines,migrate,reading}.test.ts",
    "document/fuzz.test.ts",
    "exfiltration/*.test.ts",
    "http/drops.test.ts",
    "migrate/{hostile,programs}.test.ts",
    "report/markdown.test.ts",
    "run/{bucket-state,due,faults,fifty,http-state,keep,move,partial-failure,picking,policy,recurring,scenarios,schedule,schedule-year,secret,signed,travel,verbs,batches}.test.ts",
    "sandbox/faults.test.ts",
    "serve/{again,night,notify}.test.ts",
    "state/{format,signature}.test.ts",
  ],
};

/** Of these, what comes before each commit is enough to see that something is wrong; all is tried with what takes longest. */
const LONG = [
  "test/exfiltration/echo.test.ts",
  "test/migrate/busy.test.ts",
  "test/migrate/programs.test.ts",
  "test/pipelines/gitlab-rules.test.ts",
  "test/preview/lasting.test.ts",
  "test/release.test.ts",
  "test/run/keep.test.ts",
  "test/run/move-kill.test.ts",
  "test/serve/kill.test.ts",
  "test/serve/night.test.ts",
  "test/serve/queue/{by-hand,kills,many}.test.ts",
];

const slow = Object.values(SLOW).flatMap((files) => files.map((file) => `test/${file}`));
const globalSetup = ["./test/support/browser-server.ts", "./test/support/postgres-server.ts"];

// Once, before the first test.
await writeTexts();

// States are synced to disk at each write: in memory the tests take half as long. Programs are run from there, too.
const MEMORY = "/dev/shm";
const mounts = existsSync("/proc/mounts") ? readFileSync("/proc/mounts", "utf8") : "";
const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1];
if (options !== undefined && !options.split(",").includes("noexec")) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize > 4 * 1024 ** 3) process.env["TMPDIR"] = MEMORY;
}

export default defineConfig({
  test: {
    // No measure of speed: what takes this long hangs, on the slowest machine, too.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What is looked at until it holds may take as long as the test: a second is short on a busy machine.
    expect: { poll: { timeout: 240_000 } },
    tags: [
      { name: "long", description: "Of a file with shorter ones: npm run test:slow runs it." },
    ],
    // A test often waits for a program, a server or a browser.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", "./test/support/count.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...slow, ...LONG],
          // To load src/ anew for each file takes as long as the tests.
          isolate: false,
          env: { LINTEL_FAST_TESTS: "yes" },
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: slow,
          exclude: [...configDefaults.exclude, ...LONG],
          globalSetup,
        },
      },
      {
        extends: true,
        test: { name: "long", include: LONG, globalSetup },
      },
    ],
  },
});
