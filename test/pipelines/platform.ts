// A written pipeline → the shell steps of a job as its platform would run them, with the variables that it would give them.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Pipelined } from "../../src/pipelines/parts.js";
import type { PipelineKind } from "../../src/pipelines/pipeline.js";
import { BIN, environment, type Ran } from "../support/run.js";

export const SAMPLE: Pipelined = {
  target: "portals",
  variables: ["LINTEL_BEID"],
  states: ["git:lintel-state"],
  values: [],
  places: ["portals/"],
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
  readonly secrets: Variables;
  readonly plain: Variables;
  /** Of GitLab alone: what the job that writes issues is given, and whether the pipeline is that of a fork. */
  readonly issues?: Variables;
  readonly isFork?: boolean;
}

interface Written {
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

export const STEPS: Record<PipelineKind, (text: string, job: string, set: Settings) => Step[]> = {
  github(text, name, { secrets, plain }) {
    const { env, jobs } = parse(text) as {
      env: Variables;
      jobs: Record<string, { steps: Written[]; environment?: string; env?: Variables }>;
    };
    const job = jobs[name];
    // Secrets of an environment are for the jobs that name it.
    const known: Record<"secrets" | "vars", Variables> = {
      secrets: job?.environment === "portal" ? secrets : {},
      vars: plain,
    };
    const valueOf = (value: string) =>
      value
        .replace(
          /\$\{\{ (secrets|vars)\.(\w+) \}\}/g,
          (_, kind: "secrets" | "vars", key: string) => known[kind][key] ?? "",
        )
        .replace("${{ github.token }}", "token");
    return (job?.steps ?? []).flatMap((step) =>
      step.run === undefined
        ? []
        : {
            text: `set -e\n${step.run}`,
            env: mapped({ ...env, ...job?.env, ...step.env }, valueOf),
            isEver: /always\(\)|!cancelled\(\)/.test(step.if ?? ""),
            mayFail: step["continue-on-error"] ?? false,
          },
    );
  },
  gitlab(text, name, { secrets, plain, issues = {}, isFork = false }) {
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
    const scoped = scope.startsWith("portal/") ? secrets : scope === "portal-issues" ? issues : {};
    // That of a fork runs in the fork's project, which has settings of its own.
    const set = isFork ? {} : { ...plain, ...(isProtected ? scoped : {}) };
    const rule = isFork ? job?.rules.find((each) => each.if.includes("!=")) : undefined;
    const env = { ...Object.fromEntries(values), ...job?.variables, ...rule?.variables, ...set };
    const before = job?.before_script ?? file.default.before_script;
    return [{ text: ["set -eo pipefail", ...before, ...(job?.script ?? [])].join("\n"), env }];
  },
  azure(text, name, { secrets, plain }) {
    interface Job {
      readonly steps?: Written[];
      readonly strategy?: { readonly runOnce: { readonly deploy: { readonly steps: Written[] } } };
    }
    type Listed = readonly {
      readonly name?: string;
      readonly value?: string;
      readonly group?: string;
    }[];
    const file = parse(text) as {
      variables: Listed;
      stages: { stage: string; variables?: Listed; jobs: Job[] }[];
    };
    const stage = file.stages.find((each) => each.stage === name);
    const listed = [...file.variables, ...(stage?.variables ?? [])];
    const own = file.variables.flatMap((each) =>
      each.name === undefined ? [] : [[each.name, each.value ?? ""] as const],
    );
    // The groups are not for the branches of proposals, and each holds its own.
    const known = Object.entries(secrets).filter(([key]) =>
      listed.some(({ group }) => group === (key === "REPORT_TOKEN" ? "portal-reports" : "portal")),
    );
    const macros: Variables = { "System.AccessToken": JOB_TOKEN, ...Object.fromEntries(known) };
    const open = { ...plain, ...Object.fromEntries(own) };
    // What nobody has set stays as it is written.
    const valueOf = (value: string) =>
      value.replace(/\$\(([\w.]+)\)/g, (whole, key: string) => macros[key] ?? whole);
    return (stage?.jobs ?? [])
      .flatMap(({ steps, strategy }) => steps ?? strategy?.runOnce.deploy.steps ?? [])
      .flatMap(({ bash, env, condition = "", continueOnError = false }) =>
        bash === undefined
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
  program("npm", `echo "$@" >> "${home}/npm"; env >> "${home}/npm"`);
  return folder;
}

const SET = /^##vso\[task\.setvariable variable=(\w+)\](.*)$/gm;

/** One after the other, until one fails; then those alone that always run. */
export async function runSteps(steps: readonly Step[], cwd: string, more: Variables): Promise<Ran> {
  const told = { stdout: "", stderr: "" };
  let end: number | null = 0;
  const set: Record<string, string> = {};
  for (const { text, env, isEver, mayFail } of steps) {
    if (end !== 0 && !isEver) continue;
    const outputs = outputsOf(more["GITHUB_OUTPUT"]);
    const valueOf = (value: string) =>
      value.replace(/\$\{\{ steps\.\w+\.outputs\.(\w+) \}\}/g, (_, key) => outputs.get(key) ?? "");
    const child = spawn("bash", ["--noprofile", "--norc", "-c", text], {
      cwd,
      env: {
        ...environment({ LINTEL_ALLOWED_HOSTS: undefined }),
        ...more,
        ...set,
        ...mapped(env, valueOf),
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
    // As Azure's agent, which gives it to the steps that follow.
    for (const [, name = "", value = ""] of stdout.matchAll(SET)) set[name] = value;
  }
  return { exit: end, ...told };
}

/** What the steps before have told those after them. */
function outputsOf(file: string | undefined): Map<string, string> {
  const lines = file && existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return new Map(lines.map((line) => [line.split("=")[0] ?? "", line.replace(/^.*?=/, "")]));
}

/** Whether a plan told its platform that something is to be approved; GitLab is told nothing. */
export function saysChanges({ stdout }: Ran, outputs: string): boolean {
  const isOutput = readFileSync(outputs, { encoding: "utf8", flag: "a+" }).includes("changes=yes");
  return isOutput || stdout.includes("##vso[task.setvariable variable=changes;isOutput=true]yes");
}
