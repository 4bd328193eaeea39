// lintel init: a few answers → a commented desired-state file and its schema beside it; nothing is overwritten.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  catalog,
  isAccepted,
  isDeprecated,
  isIntroduced,
  knownVersion,
} from "../catalog/catalog.js";
import type { Parameter } from "../catalog/facts.js";
import { didYouMean } from "../diagnostic.js";
import { EXIT, Failure } from "../failure.js";
import { statOf } from "../file.js";
import type { Io } from "../io.js";
import { oneLine } from "../report/paint.js";
import { DEFAULT_STATE } from "../state/open.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_METHODS, type SignInField } from "../sign-in.js";
import { valueOf, type Call, type Run } from "./command.js";
import { pipelineBeside, pipelineFor } from "./pipeline-file.js";
import { schemaOf } from "./schema.js";
import { alreadyThere, writeNew } from "./write-file.js";

interface Answers {
  readonly target: string;
  readonly deployment: string;
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly signInUrl: string | undefined;
}

export const run: Run = async (io, call) => {
  const file = fileIn(call.operands[0] ?? "portal.yaml", io.cwd);
  const path = resolve(io.cwd, file);
  const pipeline = pipelineFor(path, io, call);
  if (existsSync(path)) {
    if (pipeline) return await pipelineBeside(file, pipeline, io);
    throw alreadyThere(file);
  }
  const answers = await gather(io, call, file);
  const version = knownVersion(answers.target) ?? answers.target;
  const schemaName = `desired-state-${version}.schema.json`;
  const schemaPath = join(dirname(path), schemaName);
  const hasSchema = existsSync(schemaPath);
  writeNew(path, file, toYaml(answers, schemaName, pipeline !== undefined));
  if (!hasSchema) {
    writeNew(schemaPath, schemaName, `${JSON.stringify(schemaOf(version), null, 2)}\n`);
  }
  const written = hasSchema ? [file] : [file, join(dirname(file), schemaName)];
  if (pipeline) {
    pipeline.write(answers.method);
    written.push(pipeline.shown);
  }
  return {
    outcome: { command: "init", exit: EXIT.done, diagnostics: [], more: { written } },
    text: () =>
      [
        `Wrote ${written
          .map(oneLine)
          .join(", ")
          .replace(/, ([^,]*)$/, " and $1")}.`,
        "",
        'Next: remove the "# " before the settings that you want to manage, then run:',
        `  lintel validate ${oneLine(file)}`,
        "",
      ].join("\n"),
  };
};

/** A folder stands for the usual file in it. */
function fileIn(name: string, cwd: string): string {
  const isFolder = /[\\/]$/.test(name) || statOf(resolve(cwd, name))?.isDirectory() === true;
  return isFolder ? join(name, "portal.yaml") : name;
}

/** A flag answers; in a terminal the rest is asked for, elsewhere it has a default or is missed. */
async function gather(io: Io, call: Call, file: string): Promise<Answers> {
  const ask = (question: Question) => answer(io, call, question);
  const own = basename(file).replace(/\.ya?ml$/, "");
  const url = await ask({
    flag: "url",
    question: "The portal's REST interface (https://…/sharing/rest)",
    check: checkAddress,
  });
  const target = await ask({
    flag: "target",
    question: "The portal's version",
    byDefault: catalog.versions.at(-1) ?? "",
    check: (text) => (knownVersion(text) ? undefined : `Known: ${catalog.versions.join(", ")}.`),
  });
  const deployments = catalog.deployments.map((each) => each.name);
  const deployment = await ask({
    flag: "deployment",
    question: `The deployment (${deployments.join(", ")})`,
    byDefault: deployments[0] ?? "",
    check: (text) => checkChoice(text, deployments),
  });
  const methods = Object.keys(SIGN_IN_METHODS);
  const method = await ask({
    flag: "method",
    question: `How to sign in (${methods.join(", ")})`,
    byDefault: DEFAULT_SIGN_IN_METHOD,
    check: (text) => checkChoice(text, methods),
  });
  const needsUrl = "url" in fieldsOf(method);
  const signInUrl = needsUrl
    ? await ask({
        flag: "sign-in-url",
        question: "The base address of the sign-in service",
        byDefault: "",
        check: (text) => (text === "" ? undefined : checkAddress(text)),
      })
    : undefined;
  const name = await ask({
    flag: "name",
    question: "A name for people",
    byDefault: own,
    check: (text) => (text.trim() ? undefined : "Write a name."),
  });
  return { url, target, deployment, method, signInUrl: signInUrl || undefined, name };
}

interface Question {
  readonly flag: string;
  readonly question: string;
  readonly byDefault?: string;
  /** What is wrong with an answer, if anything is. */
  check(text: string): string | undefined;
}

async function answer(io: Io, call: Call, asked: Question): Promise<string> {
  const given = valueOf(call, asked.flag);
  if (given !== undefined) {
    const wrong = asked.check(given);
    if (!wrong) return given;
    throw new Failure("wrong-usage", `"${given}" is no answer to "--${asked.flag}".`, wrong);
  }
  if (!io.stdin.isTerminal) {
    if (asked.byDefault !== undefined) return asked.byDefault;
    throw new Failure(
      "wrong-usage",
      `The option "--${asked.flag}" is missing, and there is no terminal to ask in.`,
      `Write, for example:\n  lintel init --${asked.flag} https://gis.example.com/portal/sharing/rest`,
    );
  }
  for (;;) {
    const hint = asked.byDefault ? ` [${asked.byDefault}]` : "";
    const line = await io.stdin.ask(`${asked.question}${hint}: `);
    if (line === undefined)
      throw new Failure("interrupted", "The input ended before the last answer.");
    const text = line.trim() || (asked.byDefault ?? "");
    const wrong = asked.check(text);
    if (!wrong) return text;
    io.stderr.write(`${wrong}\n`);
  }
}

function checkAddress(text: string): string | undefined {
  const isGood = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) && URL.canParse(text);
  return isGood
    ? undefined
    : "Write the whole address, beginning with https://, without a user name and without a query.";
}

function checkChoice(text: string, choices: readonly string[]): string | undefined {
  if (choices.includes(text)) return undefined;
  return didYouMean(text, choices) ?? `Choose one of: ${choices.join(", ")}.`;
}

function fieldsOf(method: string): Record<string, SignInField> {
  return SIGN_IN_METHODS[method as keyof typeof SIGN_IN_METHODS];
}

function toYaml(answers: Answers, schemaName: string, isKept: boolean): string {
  const { target, deployment, name, url, method, signInUrl } = answers;
  const parameters = catalog.parameters.filter(
    (each) => isIntroduced(each, target) && isAccepted(each, deployment),
  );
  return [
    `# yaml-language-server: $schema=./${schemaName}`,
    "",
    "# The version that the portal has.",
    `targetVersion: "${target}"`,
    `deployment: ${deployment}`,
    "",
    "portal:",
    `  name: ${JSON.stringify(name)}`,
    `  url: ${JSON.stringify(url)}`,
    "",
    ...signInLines(method, signInUrl),
    "",
    ...(isKept
      ? [
          "# What was applied; the pipeline keeps it in the repository.",
          `state: ${DEFAULT_STATE}`,
          "",
        ]
      : []),
    "# Only what stands here is managed; what is left out stays on the portal as it is.",
    "# The values are examples, not defaults. To read about a setting:  lintel explain NAME",
    "# settings:",
    ...parameters.flatMap((each) => parameterLines(each, target)),
    "",
  ].join("\n");
}

function signInLines(method: string, url: string | undefined): string[] {
  const fields = Object.entries(fieldsOf(method)).filter(([, { variable }]) => variable);
  const secrets = [
    "  # Secrets never stand in this file. Left out, they come from these variables:",
    ...fields.map(([field, { variable }]) => `  # ${field}: \${env:${variable}}`),
  ];
  const needsUrl = "url" in fieldsOf(method);
  if (needsUrl && !url) {
    const lines = [`method: ${method}`, "url: https://accounts.example.com"];
    return ["# How to sign in.", "# signIn:", ...lines.map((line) => `#   ${line}`)];
  }
  return [
    "signIn:",
    `  method: ${method}`,
    ...(url ? [`  url: ${JSON.stringify(url)}`] : []),
    ...(fields.length > 0 ? secrets : []),
  ];
}

function parameterLines({ name, object, meaning }: Parameter, target: string): string[] {
  if (!object) return [`#   ${name}: true`];
  const properties = (catalog.objects[object] ?? []).filter(
    (each) => isIntroduced(each, target) && !isDeprecated(each, target) && !each.setBy,
  );
  return [
    `#   # ${meaning}`,
    `#   ${name}:`,
    ...properties.map((each) => `#     ${each.name}: ${JSON.stringify(each.example)}`),
  ];
}
