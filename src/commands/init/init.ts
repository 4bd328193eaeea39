// lintel init: a few answers → a commented desired-state file and its schema beside it; nothing is overwritten.
import type { Call, Run, Words } from "../command.js";
import { DEPLOYMENT, QUIET, TARGET } from "../options.js";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { didYouMean } from "../../diagnostic.js";
import { EXIT, Failure, wrongUsage } from "../../failure.js";
import { statOf } from "../../file.js";
import type { Io } from "../../io.js";
import { readPortalAddress } from "../../migrate/location.js";
import { inColumns, wrap } from "../../report/text/layout.js";
import { oneLine, shellWord } from "../../text.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_MEANINGS, SIGN_IN_METHODS } from "../../sign-in.js";
import { fieldsOf, toYaml, type Answers } from "./begun-file.js";
import { pipelineBeside, pipelineFor } from "./pipeline-file.js";
import { alreadyThere, writeNew } from "../result/write-file.js";
import { schemaName, writeSchemaBeside } from "../result/write-schema.js";

export const words = {
  operands: "[FILE]",
  options: {
    url: { value: "URL", meaning: "The portal's address, or the root of its REST interface." },
    ...TARGET,
    deployment: DEPLOYMENT,
    method: { value: "NAME", values: Object.keys(SIGN_IN_METHODS), meaning: "How to sign in." },
    "sign-in-url": { value: "URL", meaning: "The base address of the sign-in service." },
    name: { value: "NAME", meaning: "A name for people." },
    ci: {
      value: "SYSTEM",
      values: ["github", "gitlab"],
      meaning: "Write the pipeline, too, that plans on a proposal and applies after the merge.",
    },
    ...QUIET,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel init", "asks, and writes portal.yaml"],
    [
      "lintel init portals/staging.yaml --url https://gis.example.com/portal/sharing/rest",
      "asks nothing in a pipeline",
    ],
    ["lintel init --ci github", "writes the workflow, too"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const file = fileIn(call.operands[0] ?? "portal.yaml", io.cwd);
  const path = resolve(io.cwd, file);
  const pipeline = pipelineFor(path, io, call.options.ci);
  if (existsSync(path)) {
    if (pipeline) return await pipelineBeside(file, pipeline, io);
    throw alreadyThere(
      file,
      `, name another file, or check this one:\n  lintel validate ${shellWord(file)}`,
    );
  }
  const answers = await gather(io, call, file);
  writeNew(path, file, toYaml(answers, schemaName(answers.target), pipeline !== undefined));
  const written = [file, ...writeSchemaBeside(path, answers.target, io)];
  if (pipeline) {
    pipeline.write(answers.method);
    written.push(pipeline.shown);
  }
  const isOpen = "url" in fieldsOf(answers.method) && answers.signInUrl === undefined;
  return {
    outcome: { command: "init", exit: EXIT.done, diagnostics: [], more: { written } },
    text: () =>
      [
        `Wrote ${written
          .map(oneLine)
          .join(", ")
          .replace(/, ([^,]*)$/, " and $1")}.`,
        "",
        ...wrap(
          `Next: ${isOpen ? 'write under "signIn" where to sign in, and ' : ""}remove the "# " before the settings that you want to manage. Where the portal is set up already, take over what was chosen there instead; the portal stays as it is:`,
        ),
        `  lintel pull ${oneLine(shellWord(file))} --all`,
        "Then check the file, and see what it would change:",
        `  lintel validate ${oneLine(shellWord(file))}`,
        `  lintel plan ${oneLine(shellWord(file))}`,
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
async function gather(io: Io, call: Called, file: string): Promise<Answers> {
  const ask = (question: Question) => answer(io, call, question);
  const own = basename(file).replace(/\.ya?ml$/, "");
  const address = await ask({
    flag: "url",
    question: "The portal's address (https://gis.example.com/portal)",
    check: checkPortalAddress,
  });
  const url = restOf(address);
  if (url !== address) io.stderr.write(`Its REST interface is taken to be ${url}\n`);
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
    before: methodsText(),
    question: "How to sign in",
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

type Called = Call<typeof words.options>;
type Flag = "url" | "target" | "deployment" | "method" | "sign-in-url" | "name";

interface Question {
  readonly flag: Flag;
  readonly question: string;
  /** What somebody should know before the question. */
  readonly before?: string;
  readonly byDefault?: string;
  /** What is wrong with an answer, if anything is. */
  check(text: string): string | undefined;
}

async function answer(io: Io, call: Called, asked: Question): Promise<string> {
  const given = call.options[asked.flag];
  if (given !== undefined) {
    const wrong = asked.check(given);
    if (!wrong) return given;
    throw wrongUsage(`"${given}" is no answer to "--${asked.flag}".`, wrong);
  }
  if (!io.stdin.isTerminal) {
    if (asked.byDefault !== undefined) return asked.byDefault;
    throw wrongUsage(
      `The option "--${asked.flag}" is missing, and there is no terminal to ask in.`,
      `Write, for example:\n  lintel init --${asked.flag} https://gis.example.com/portal/sharing/rest`,
    );
  }
  if (asked.before !== undefined) io.stderr.write(asked.before);
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

/** Nobody types the whole of it, and what a browser shows of a portal ends otherwise. */
function restOf(address: string): string {
  const plain = address.replace(/\/+$/, "");
  const [interfaceRoot] = /^.*?\/sharing\/rest(?=\/|$)/.exec(plain) ?? [];
  if (interfaceRoot !== undefined) return interfaceRoot;
  const { protocol, host, context } = readPortalAddress(plain) ?? {};
  return context === undefined ? plain : `${protocol}//${host}${context}/sharing/rest`;
}

/** A host alone may serve several portals, each in a folder of its own. */
function checkPortalAddress(text: string): string | undefined {
  const wrong = checkAddress(text);
  if (wrong !== undefined) return wrong;
  const { origin } = new URL(text);
  const portal = readPortalAddress(text);
  if (portal?.context !== "" || restOf(text) === text.replace(/\/+$/, "")) return undefined;
  return `The folder of the portal on its server is missing; a browser shows it before "/home". Write, for example:\n  ${origin}/portal\nWhere the portal has no folder, write the whole address:\n  ${origin}/sharing/rest`;
}

function methodsText(): string {
  const rows = Object.entries(SIGN_IN_MEANINGS).map(([name, meaning]): [string, string] => [
    `  ${name}`,
    meaning,
  ]);
  return `${inColumns(rows).join("\n")}\n`;
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
