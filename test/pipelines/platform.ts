// Runs the shell steps of a written pipeline's job, with the variables that its platform would set.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Pipelined } from "../../src/pipelines/pipelined.js";
import { PIPELINE_FILES, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { BIN, environment, type Ran } from "../support/run.js";

/** What the program `npm` of these tests downloads. */
const PACKAGE = "package";
export const SUM = createHash("sha256").update(PACKAGE).digest("hex");

export const SAMPLE: Pipelined = {
  target: "portals",
  package: {
    address: "https://packages.example.com/lintel-0.1.0.tgz",
    sum: { algorithm: "sha256", hex: SUM },
  },
  branch: "main",
  cron: "7 * * * *",
  variables: ["LINTEL_BEID"],
  states: ["git:lintel-state"],
  values: [],
  hosts: ["gis.example.com"],
};

type Variables = Readonly<Record<string, string>>;

export interface Step {
  readonly text: string;
  readonly env: Variables;
  /** Also after one that failed. */
  readonly isEver?: boolean;
  /** Whether the job goes on where it fails. */
  readonly mayFail?: boolean;
}

/** What the platform's settings hold. */
export interface Settings {
  /** Of the environments that sign in. */
  readonly secrets: Variables;
  readonly plain: Variables;
  /** Of the environment whose jobs report. */
  readonly reporting?: Variables;
  /** Whether the pipeline is that of a fork. */
  readonly isFork?: boolean;
}

/** Whose secrets a job has, by the name of its environment or group. */
function secretsOf(name: string, { secrets, reporting = {} }: Settings): Variables {
  if (name === "portal" || name === "portal-unattended") return secrets;
  return name === "portal-report" ? reporting : {};
}

/** The files of a pipeline, by their paths. */
export type Texts = Readonly<Record<string, string>>;

export interface Written {
  readonly if?: string;
  readonly "continue-on-error"?: boolean;
  readonly run?: string;
  readonly bash?: string;
  readonly env?: Variables;
  readonly condition?: string;
  readonly continueOnError?: boolean;
}

/** The token of every job on Azure, also of a proposal's. */
export const JOB_TOKEN = "token-of-the-job";

export const STEPS: Record<PipelineKind, (texts: Texts, job: string, set: Settings) => Step[]> = {
  github(texts, name, set) {
    const text = texts[PIPELINE_FILES.github] ?? "";
    const { plain } = set;
    const { env, jobs, defaults } = parse(text) as {
      env: Variables;
      defaults?: { run?: { shell?: string } };
      jobs: Record<string, { steps: Written[]; environment?: string; env?: Variables }>;
    };
    const job = jobs[name];
    // Secrets and variables of an environment are for the jobs that name it.
    const known: Record<"secrets" | "vars", Variables> = {
      secrets: secretsOf(job?.environment ?? "", set),
      vars: job?.environment === undefined ? {} : plain,
    };
    const valueOf = (value: string) =>
      value
        .replace(
          /\$\{\{ (secrets|vars)\.(\w+) \}\}/g,
          (_, kind: "secrets" | "vars", key: string) => known[kind][key] ?? "",
        )
        .replace("${{ github.token }}", "token-of-the-run");
    return (job?.steps ?? []).flatMap((step) =>
      step.run === undefined
        ? []
        : {
            // Named, the shell is another than the one that is there without a name.
            text: `set -e${defaults?.run?.shell === "bash" ? "o pipefail" : ""}\n${step.run}`,
            env: mapped({ ...env, ...job?.env, ...step.env }, valueOf),
            isEver: /always\(\)|!cancelled\(\)/.test(step.if ?? ""),
            mayFail: step["continue-on-error"] ?? false,
          },
    );
  },
  gitlab(texts, name, set) {
    const { plain, isFork = false } = set;
    const text = texts[PIPELINE_FILES.gitlab] ?? "";
    interface Job {
      readonly before_script?: string[];
      readonly script: string[];
      readonly environment?: string | { readonly name: string };
      readonly variables?: Variables;
      readonly rules: { readonly if: string; readonly variables?: Variables }[];
    }
    const file = parse(text) as {
      default: { before_script: string[] };
      variables: Record<string, string | { value: string }>;
    } & Record<string, Job>;
    const values = Object.entries(file.variables).map(
      ([key, each]) => [key, typeof each === "string" ? each : each.value] as const,
    );
    const job = file[name];
    const { environment } = job ?? {};
    const scope = (typeof environment === "string" ? environment : environment?.name) ?? "";
    // A merge request's pipeline runs for no protected branch.
    const isProtected = !job?.rules.some((rule) => rule.if.includes("merge_request_event"));
    const scoped = secretsOf(scope, set);
    // That of a fork runs in the fork's project, which has settings of its own.
    const own = isFork ? {} : { ...plain, ...(isProtected ? scoped : {}) };
    const rule = isFork ? job?.rules.find((each) => each.if.includes("!=")) : undefined;
    const env = { ...Object.fromEntries(values), ...job?.variables, ...rule?.variables, ...own };
    const before = job?.before_script ?? file.default.before_script;
    return [{ text: ["set -eo pipefail", ...before, ...(job?.script ?? [])].join("\n"), env }];
  },
  azure(texts, name, set) {
    interface Stage {
      readonly stage: string;
      readonly variables?: readonly { readonly group: string }[] | Variables;
      readonly jobs: readonly { readonly steps: readonly object[] }[];
    }
    const file = parse(texts[PIPELINE_FILES.azure] ?? "") as {
      variables: Variables;
      stages: Stage[];
    };
    const stage = file.stages.find((each) => each.stage === name);
    const { variables = {} } = stage ?? {};
    const group = Array.isArray(variables) ? String(variables[0]?.group) : "";
    const macros: Variables = { "System.AccessToken": JOB_TOKEN, ...secretsOf(group, set) };
    // What is not secret is in the groups, too, and a pull request has none.
    const own = group === "" ? (variables as Variables) : set.plain;
    const open = { ...file.variables, ...own };
    // What is not set stays as it is written.
    const valueOf = (value: string) =>
      value.replace(/\$\(([\w.]+)\)/g, (whole, key: string) => macros[key] ?? whole);
    return (stage?.jobs ?? [])
      .flatMap(({ steps }) => steps)
      .flatMap((step) => azureSteps(step, texts))
      .flatMap(({ bash, env, condition = "", continueOnError = false }) =>
        bash === undefined || condition.includes("ne('', '')")
          ? []
          : {
              text: valueOf(bash),
              env: { ...open, ...mapped(env ?? {}, valueOf) },
              isEver: /always\(\)|succeededOrFailed\(\)/.test(condition),
              mayFail: continueOnError,
            },
      );
  },
};

/** The key that GitHub's step to check out leaves for git, if the job has one. */
export function deployKeyIn(texts: Texts, name: string, set: Settings): string | undefined {
  const { jobs } = parse(texts[PIPELINE_FILES.github] ?? "") as {
    jobs: Record<string, { environment?: string; steps: { with?: { "ssh-key"?: string } }[] }>;
  };
  const { environment = "", steps = [] } = jobs[name] ?? {};
  const given = steps.map((step) => step.with?.["ssh-key"]).find(Boolean);
  const [, secret = ""] = /^\$\{\{ secrets\.(\w+) \}\}$/.exec(given ?? "") ?? [];
  return secretsOf(environment, set)[secret];
}

/** A step, or those of the template that it names, with its parameters put in. */
export function azureSteps(step: object, texts: Texts): Written[] {
  const { template, parameters: given = {} } = step as {
    readonly template?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
  if (template === undefined) return [step];
  const file = parse(texts[template] ?? "") as {
    readonly parameters: readonly { readonly name: string; readonly default?: unknown }[];
    readonly steps: unknown;
  };
  const values = Object.fromEntries(
    file.parameters.map((each) => [each.name, given[each.name] ?? each.default]),
  );
  return expanded(file.steps, values) as Written[];
}

/** What Azure does with `${{ parameters.NAME }}` and `${{ if parameters.NAME }}` before anything runs. */
function expanded(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") {
    const [, whole] = /^\$\{\{ parameters\.(\w+) \}\}$/.exec(value) ?? [];
    if (whole !== undefined) return values[whole];
    return value.replace(/\$\{\{ parameters\.(\w+) \}\}/g, (_, name: string) =>
      String(values[name]),
    );
  }
  const isMet = (key: string) => {
    const [, name] = /^\$\{\{ if parameters\.(\w+) \}\}$/.exec(key) ?? [];
    return name === undefined ? undefined : Boolean(values[name]);
  };
  if (Array.isArray(value)) return value.map((each) => expanded(each, values));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const met = isMet(key);
    if (met === undefined) return [[key, expanded(inner, values)]];
    return met ? Object.entries(expanded(inner, values) as object) : [];
  });
  return Object.fromEntries(entries) as unknown;
}

function mapped(variables: Variables, valueOf: (value: string) => string): Variables {
  return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, valueOf(value)]));
}

/** Puts a `lintel` that is this one, and an `npm` that installs nothing and tells what it was given, before all programs. */
export function programs(home: string): string {
  const folder = join(home, "programs");
  mkdirSync(folder, { recursive: true });
  const program = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program("lintel", `exec "${process.execPath}" "${BIN}" "$@"`);
  // A test may put another package there.
  writeFileSync(join(home, "package"), PACKAGE);
  const pack = `if [ "$1" = pack ]; then shift 4; cp "${home}/package" "$1/lintel-0.1.0.tgz"; fi`;
  program("npm", `echo "$@" >> "${home}/npm"; env >> "${home}/npm"; ${pack}`);
  return folder;
}

/** One after the other, until one fails; then those alone that always run. */
export async function runSteps(steps: readonly Step[], cwd: string, more: Variables): Promise<Ran> {
  const told = { stdout: "", stderr: "" };
  let end: number | null = 0;
  for (const { text, env, isEver, mayFail } of steps) {
    if (end !== 0 && !isEver) continue;
    const child = spawn("bash", ["--noprofile", "--norc", "-c", text], {
      cwd,
      env: {
        ...environment({ LINTEL_ALLOWED_HOSTS: undefined }),
        ...more,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, exit] = await Promise.all([
      child.stdout.setEncoding("utf8").reduce((all: string, part: string) => all + part, ""),
      child.stderr.setEncoding("utf8").reduce((all: string, part: string) => all + part, ""),
      new Promise<number | null>((done) => child.on("close", done)),
    ]);
    told.stdout += stdout;
    told.stderr += stderr;
    if (end === 0 && !mayFail) end = exit;
  }
  return { exit: end, ...told };
}

/** Whether a plan told its platform that something is to be approved; GitLab is told nothing. */
export function saysChanges({ stdout }: Ran, outputs: string): boolean {
  const isOutput = readFileSync(outputs, { encoding: "utf8", flag: "a+" }).includes("changes=yes");
  return isOutput || stdout.includes("##vso[task.setvariable variable=changes;isOutput=true]yes");
}
