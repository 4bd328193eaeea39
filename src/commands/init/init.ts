// Writes a new desired-state file with its schema, and on request a pipeline. Overwrites nothing.
import type { CommandSpec, ParsedArguments, Run } from "../command.js";
import { DEPLOYMENT, NETWORK, TARGET, YES } from "../options.js";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { wrap } from "../../report/text-layout.js";
import { listed, oneLine, shellWord, visible } from "../../lib/text.js";
import { EXIT, Failure, wrongUsage } from "../../failure.js";
import { SIGN_IN_METHODS } from "../../sign-in.js";
import { assertSignInOptions, chooseSignIn } from "./sign-in-choice.js";
import { branchFor, firstPush, stateText, usualState, whyNoState } from "./state-choice.js";
import { STATE_KINDS } from "../../state-address/kinds.js";
import { toYaml, variablesOf, type Answers } from "./begun-file.js";
import { answer, type Question } from "./answer.js";
import { checkPortalAddress, restOf } from "./address.js";
import {
  assertStateFits,
  CRON,
  pipelineBeside,
  pipelineFor,
  targetThere,
} from "./pipeline-file.js";
import { done } from "../../cli/result.js";
import { alreadyThere, writeNew } from "../../cli/write-file.js";
import { schemaName, writeSchemaBeside } from "../write-schema.js";

export const spec = {
  operands: "[FILE]",
  options: {
    url: { value: "URL", description: "Portal address or REST root." },
    target: {
      ...TARGET.target,
      description: "Portal version, read from the portal by default.",
    },
    deployment: DEPLOYMENT,
    method: { value: "NAME", values: Object.keys(SIGN_IN_METHODS), description: "Sign-in method." },
    "sign-in-url": { value: "URL", description: "Base URL of the sign-in service." },
    name: { value: "NAME", description: "Display name of the portal." },
    ci: {
      value: "PLATFORM",
      values: ["github", "gitlab", "azure"],
      description: "Add a pipeline.",
    },
    package: {
      value: "PACKAGE",
      description: "Lintel package: a file, or URL#sha256=SUM.",
    },
    cron: { value: "CRON", description: "Cron expression of the scheduled pipeline." },
    minimal: { description: "Write the shortest pipeline (GitHub)." },
    state: {
      value: "ADDRESS",
      offers: Object.values(STATE_KINDS).map(({ example }) => example),
      description: "Where to store the state.",
    },
    "from-portal": { description: "Start from the live settings." },
    example: {
      value: "NAME",
      values: ["fleet", "schedule", "policy"],
      description: "Write this example.",
    },
    ...YES,
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel init", "ask, then write portal.yaml"],
    ["lintel init --from-portal", "start from the live settings"],
    ["lintel init portals --ci gitlab --package ./lintel-0.1.0.tgz", "add a GitLab pipeline"],
    ["lintel init try --example fleet", "write an example to try"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { ci, url, state, example } = call.options;
  if (example !== undefined) return exampleOf(example, io, call);
  const target = ci && targetThere(call.operands[0], url !== undefined, io);
  const beside = target && pipelineFor(target, io, call.options);
  const askCron = async ({ isMinimal }: { readonly isMinimal: boolean }) =>
    isMinimal ? "" : answer(io, call, CRON);
  if (beside)
    return pipelineBeside(target, beside, io, { wanted: state, askCron: () => askCron(beside) });
  const [named = "portal.yaml"] = call.operands;
  // A folder means its portal.yaml.
  const isFolder = /[\\/]$/.test(named) || statOf(resolve(io.cwd, named))?.isDirectory();
  const file = isFolder ? join(named, "portal.yaml") : named;
  const path = resolve(io.cwd, file);
  if (existsSync(path)) {
    const instead = `, name another file, or check this one:\n  lintel validate ${shellWord(file)}`;
    throw alreadyThere(file, instead);
  }
  const pipeline = pipelineFor(file, io, call.options);
  const answers = await gather(io, call, file);
  const cron = pipeline ? await askCron(pipeline) : "";
  const isFromPortal = call.options["from-portal"];
  if (pipeline) assertStateFits(pipeline.kind, file, answers.state, pipeline.meant);
  const begunText = toYaml(answers, schemaName(path, answers.target), { isFromPortal });
  const taken = isFromPortal
    ? await (await import("./from-portal.js")).writeFromPortal(file, begunText, io, call)
    : writeNew(path, file, begunText, io);
  const written = [file, ...writeSchemaBeside(path, answers.target, io)];
  if (pipeline) {
    pipeline.write([answers], cron);
    written.push(...pipeline.shown);
  }
  const begun = `Wrote ${listed(written)}.${pipeline?.warning ?? ""}`;
  const operand = file === "portal.yaml" ? "" : ` ${oneLine(shellWord(file))}`;
  const push = pipeline ? "" : firstPush(answers.state, path, written, io);
  const last = `${pipeline?.setup ?? "lintel plan"}${operand}`;
  if (taken) {
    return {
      outcome: { ...taken.outcome, command: "init", more: { ...taken.outcome.more, written } },
      text: (styles) => `${begun}\n\n${taken.text(styles)}\nNext:\n${push}  ${last}\n`,
    };
  }
  const missing = variablesOf(answers.method).filter((variable) => !io.env[variable]);
  // Before the first push, a branch for the state has no place.
  const checks = push || pipeline ? "" : `  lintel doctor${operand}\n`;
  const ends = pipeline ? "set up the platform" : `${push ? "push the files, " : ""}and plan`;
  const steps = `Next: ${missing.length > 0 ? "set the credentials, " : ""}${checks && "check the sign-in, "}start from the live settings (or edit ${file}), ${ends}:`;
  const text = `${inWidth(begun, call)}
${inWidth(stateText(answers.state), call)}

${inWidth(steps, call)}
${missing.length > 0 ? `  export ${missing.map((variable) => `${variable}=…`).join(" ")}\n` : ""}${checks}  lintel pull${operand} --all
${push}  ${last}
`;
  return done("init", { written }, () => text);
};

const NOT_FOR_EXAMPLES = [
  "deployment",
  "name",
  "ci",
  "package",
  "cron",
  "minimal",
  "state",
  "from-portal",
];

async function exampleOf(
  name: NonNullable<Arguments["options"]["example"]>,
  io: Io,
  call: Arguments,
) {
  const [folder = "."] = call.operands;
  const { options, given } = call;
  const other = [...given].find((each) => NOT_FOR_EXAMPLES.includes(each));
  if (other !== undefined) {
    const help = "Add only --url, --method, --sign-in-url or --target.";
    throw wrongUsage(`"--example" cannot be combined with "--${other}".`, help);
  }
  assertTarget(options.target);
  assertSignInOptions(options);
  const portal = options.url === undefined ? {} : await askPortal(io, call);
  const { writeExample } = await import("./example.js");
  return writeExample(name, folder, { ...options, ...portal }, io);
}

function checkName(text: string): string | undefined {
  if (!text.trim()) return "Write a name.";
  const isPlain = visible(text) === text && !text.includes("${");
  return isPlain ? undefined : "Write a name without control characters and without ${.";
}

function inWidth(text: string, { styles }: Arguments): string {
  return wrap(oneLine(text), styles.width).join("\n");
}

async function gather(io: Io, call: Arguments, file: string): Promise<Answers> {
  const { options } = call;
  assertTarget(options.target);
  assertSignInOptions(options);
  const ask = (question: Question) => answer(io, call, question);
  const { url, ...found } = await askPortal(io, call);
  const { method, signInUrl } = await chooseSignIn(options, ask);
  const path = resolve(io.cwd, file);
  const state = await ask({
    flag: "state",
    text: "Where to keep the state",
    check: (text) => whyNoState(text, path, io),
    byDefault: options.ci === undefined ? usualState(path, io) : branchFor(options.ci),
  });
  const own = basename(file).replace(/\.ya?ml$/, "");
  const name = await ask({
    flag: "name",
    text: "A name for this portal",
    check: checkName,
    byDefault: own === "portal" ? new URL(url).hostname : own,
  });
  return { url, ...found, method, signInUrl, name, state };
}

function assertTarget(target: string | undefined): void {
  if (target === undefined || knownVersion(target)) return;
  throw wrongUsage(
    `"--target" cannot be "${oneLine(target)}".`,
    `Known versions: ${catalog.versions.join(", ")}.`,
  );
}

type Found = Pick<Answers, "target" | "isTargetSure" | "deployment">;

/** At a terminal, an address where no portal answers is asked for again. */
async function askPortal(io: Io, call: Arguments): Promise<Found & Pick<Answers, "url">> {
  for (;;) {
    const address = await answer(io, call, {
      flag: "url",
      text: "Portal address, for example https://gis.example.com/portal",
      check: checkPortalAddress,
    });
    try {
      return { url: restOf(address), ...(await targetOf(restOf(address), io, call)) };
    } catch (error) {
      if (!(error instanceof Failure) || error.exit !== EXIT.refused) throw error;
      if (call.options.url !== undefined) throw error;
      notice([error.message, error.help].join(" "), io, call);
    }
  }
}

/** With --target it works offline. */
async function targetOf(url: string, io: Io, call: Arguments): Promise<Found> {
  const { target, deployment } = call.options;
  if (target !== undefined) {
    return { target, isTargetSure: true, deployment: deployment ?? "enterprise" };
  }
  const { findOut } = await import("./shown-portal.js");
  const shown = await findOut(url, io, call);
  notice(shown.notice, io, call);
  return {
    target: shown.target,
    isTargetSure: shown.isSure,
    deployment: deployment ?? shown.deployment,
  };
}

function notice(text: string, io: Io, { styles }: Arguments): void {
  io.stderr.write(`${wrap(oneLine(text.replace(/\s+/g, " ")), styles.messageWidth).join("\n")}\n`);
}

type Arguments = ParsedArguments<typeof spec.options>;
