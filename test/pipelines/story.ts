// Runs the jobs of a written pipeline with a sandbox for its portal, each in a clone of its own as on a runner.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { filesOf, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { makeServer, run, serverAt, type Server } from "../state/repositories.js";
import { lintel } from "../run/call.js";
import { OWN_HOSTS } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";
import {
  deployKeyIn,
  programs,
  runSteps,
  saysChanges,
  STEPS,
  SUM,
  type Settings,
  type Step,
} from "./platform.js";

/** A name that does something wherever a shell reads it as text of its own. */
const FOLDER = "$(touch pwned) `touch pwned`'; touch pwned; '";

interface JobOptions {
  readonly plan?: string;
  readonly steps?: readonly Step[];
  readonly commit?: string;
  /** What earlier jobs have left, by its name. */
  readonly left?: Readonly<Record<string, string>>;
  /** What the platform gives this one beside its settings. */
  readonly given?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  /** Where its clone fetches from and pushes to. */
  readonly remote?: string;
}

interface StoryOptions {
  /** Where the state is, as the file writes it. */
  readonly state?: string;
  readonly settings?: Partial<Settings>;
  /** What the platform gives every job. */
  readonly given?: Readonly<Record<string, string>>;
  readonly cron?: string | undefined;
}

export async function openStory(
  system: PipelineKind,
  { state = STATE[system], settings: own = {}, given = {}, cron }: StoryOptions = {},
) {
  const sandbox = await openSandbox();
  const server = makeServer();
  const states = system === "azure" ? statesBeside(server) : server;
  const key = system === "github" ? protectStates(server) : undefined;
  const env = { ...server.env, PATH: `${programs(server.home)}:${server.env["PATH"]}` };
  let clones = 0;
  const clone = () => server.clone(`clone-${++clones}`);
  const author = clone();
  for (const name of ["user.name", "user.email"]) run(author, env, ["config", name, "ada"]);
  const file = (settings: string) => fileFor(sandbox, `state: ${state}\nsettings: ${settings}\n`);
  /** As a merge would, and nothing but that reaches main. */
  const merge = (settings: string): string => {
    mkdirSync(join(author, FOLDER), { recursive: true });
    writeFileSync(join(author, FOLDER, "a.yaml"), file(settings));
    run(author, env, ["add", "--all"]);
    run(author, env, ["commit", "--quiet", "--message", "Merged"]);
    run(author, env, ["push", "--quiet", "origin", "main"]);
    return server.git("rev-parse", "main").trim();
  };
  merge("{ blockBetaApps: true }");
  const address = `https://packages.example.com/lintel-0.1.0.tgz#sha256=${SUM}`;
  const clock = cron === undefined ? [] : ["--cron", cron];
  const words = ["init", FOLDER, "--ci", system, "--package", address, ...clock];
  const begun = await lintel(words, { cwd: author });
  expect([begun.exit, begun.stderr]).toEqual([0, ""]);
  const texts = Object.fromEntries(
    filesOf(system, false).map((name) => [name, readFileSync(join(author, name), "utf8")]),
  );
  const first = merge("{ blockBetaApps: true }");
  const settings: Settings = {
    ...own,
    secrets: { ...keysOf(sandbox), ...(key && { LINTEL_DEPLOY_KEY: key }), ...own.secrets },
    plain: { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...own.plain },
  };
  const outputs = join(server.home, "outputs");
  const protectedMain = () =>
    server.hook("update", 'test "$1" != refs/heads/main || { echo "protected" >&2; exit 1; }');
  return {
    sandbox,
    server,
    /** The server of the states. */
    states,
    texts,
    first,
    merge,
    protectedMain,
    keys: [...Object.values(keysOf(sandbox)), ...(key ? [key] : [])],
    secrets: settings.secrets,
    beid: sandbox.beid,
    steps: (job: string, more: Partial<Settings> = {}) =>
      STEPS[system](texts, job, { ...settings, ...more }),
    /** In a clone of its own and at no branch, as on a runner; a saved plan comes from the job before. */
    async job(name: string, options: JobOptions = {}) {
      const { plan, steps, commit = first, left = {}, settings: more, remote } = options;
      const cwd = clone();
      run(cwd, env, ["checkout", "--quiet", commit]);
      if (remote !== undefined) run(cwd, env, ["remote", "set-url", "origin", remote]);
      const set = { ...settings, ...more };
      if (system === "github") checkOutWith(deployKeyIn(texts, name, set), cwd, server);
      writeFileSync(outputs, "");
      if (plan !== undefined) {
        mkdirSync(join(cwd, "plan"));
        // GitHub and GitLab put it here, Azure into a folder of its own.
        for (const at of ["plan.json", "plan/plan.json"]) writeFileSync(join(cwd, at), plan);
      }
      for (const [at, made] of Object.entries(left)) {
        mkdirSync(dirname(join(cwd, at)), { recursive: true });
        writeFileSync(join(cwd, at), made);
      }
      const written = STEPS[system](texts, name, set);
      const ran = await runSteps(steps ?? written, cwd, {
        ...env,
        ...given,
        ...options.given,
        CI: "true",
        TF_BUILD: "True",
        GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: join(cwd, "summary.md"),
        SYSTEM_DEFAULTWORKINGDIRECTORY: cwd,
        PIPELINE_WORKSPACE: cwd,
      });
      const saved = join(cwd, "plan.json");
      const isPlanned = plan === undefined && existsSync(saved);
      expect(readdirSync(cwd)).not.toContain("pwned");
      return {
        ...ran,
        cwd,
        told: `${ran.stdout}${ran.stderr}`,
        summary: () => readFileSync(join(cwd, "plan.md"), "utf8"),
        left: (at: string) => readFileSync(join(cwd, at), "utf8"),
        saved: isPlanned ? readFileSync(saved, "utf8") : undefined,
        changes: saysChanges(ran, outputs),
      };
    },
  };
}

/** As `init --ci` proposes it. */
const STATE: Readonly<Record<PipelineKind, string>> = {
  github: "git:lintel-state",
  gitlab: "git:lintel-state",
  azure: "git:lintel-state@portal-states",
};

/** The repository of the states that the setup makes on Azure, beside that of the pipeline. */
function statesBeside(server: Server): Server {
  const folder = join(dirname(server.folder), "portal-states");
  cpSync(server.folder, folder, { recursive: true });
  return serverAt(server.home, folder).server;
}

const KEY = "the deploy key";

/** The rules that the setup makes on GitHub: whoever has no deploy key can push no state. */
function protectStates(server: Server): string {
  server.hook(
    "pre-receive",
    'while read -r _ _ ref; do [ "$ref" != refs/heads/lintel-state ] || [ "$HAS_KEY" ]; done',
  );
  // Git calls it with -i KEY, options, the host, and "git-receive-pack 'PATH'".
  const ssh = `#!/bin/sh
grep -qx "${KEY}" "$2" || exit 1
for asked; do :; done
HAS_KEY=yes exec "\${asked%% *}" "${server.folder}"
`;
  writeFileSync(join(server.home, "ssh"), ssh, { mode: 0o755 });
  return KEY;
}

/** As GitHub's step does: with a key over SSH. */
function checkOutWith(key: string | undefined, cwd: string, server: Server): void {
  if (key === undefined) return;
  const at = join(server.home, "key");
  writeFileSync(at, `${key}\n`);
  const configure = (...words: string[]) => run(cwd, server.env, words);
  configure("config", "core.sshCommand", `"${join(server.home, "ssh")}" -i "${at}"`);
  configure("remote", "set-url", "origin", "git@github.example.com:gis/portals.git");
}
