// lintel init: a few answers → a commented desired-state file and its schema beside it; nothing is overwritten.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { DEPLOYMENT, NETWORK, TARGET, YES } from "../options.js";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { inColumns, wrap } from "../../report/text/layout.js";
import { listed, oneLine, shellWord } from "../../lib/text.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_MEANINGS, SIGN_IN_METHODS } from "../../sign-in.js";
import { keptText, statePlacesText, usualFor, usualState, whyNoState } from "./state-choice.js";
import { STATE_KINDS } from "../../state-address/kinds.js";
import { fieldsOf, toYaml, type Answers } from "./begun-file.js";
import { answer, choiceOf, mayAsk, type Check, type Flag } from "./answer.js";
import { checkAddress, checkPortalAddress, restOf } from "./address.js";
import {
  EDITORS,
  editorFilesFor,
  usesVsCode,
  withEditorFiles,
  type EditorFiles,
} from "./editor-files.js";
import { assertOutlivesRunner, pipelineBeside, pipelineFor, targetThere } from "./pipeline-file.js";
import { done } from "../result/result.js";
import { alreadyThere, writeNew } from "../result/write-file.js";
import { schemaName, writeSchemaBeside } from "../result/write-schema.js";

export const spec = {
  operands: "[FILE]",
  options: {
    url: { value: "URL", description: "Portal address or REST root." },
    ...TARGET,
    deployment: DEPLOYMENT,
    method: { value: "NAME", values: Object.keys(SIGN_IN_METHODS), description: "Sign-in method." },
    "sign-in-url": { value: "URL", description: "Base URL of the sign-in service." },
    name: { value: "NAME", description: "Display name of the portal." },
    ci: {
      value: "SYSTEM",
      values: ["github", "gitlab", "azure"],
      description: "Also write a pipeline for this system.",
    },
    package: {
      value: "ADDRESS",
      description: "Lintel package that the pipeline installs.",
    },
    editor: {
      value: "NAME",
      values: EDITORS,
      description: "Also write settings for this editor.",
    },
    state: {
      value: "ADDRESS",
      offers: Object.values(STATE_KINDS).map(({ example }) => example),
      description: "Where to store the state.",
    },
    "from-portal": { description: "Start from the live settings." },
    ...YES,
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel init", "ask, then write portal.yaml"],
    ["lintel init --from-portal", "start from the live settings"],
    ["lintel init --url https://gis.example.com/portal", "answer a question in advance"],
    ["lintel init portals --ci gitlab", "add a GitLab pipeline"],
    ["lintel init --editor vscode", "set up VS Code"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { ci, editor, url, state } = call.options;
  const isBeside = ci !== undefined || editor === "vscode";
  const target = isBeside ? targetThere(call.operands[0], url !== undefined, io) : undefined;
  if (target !== undefined) return await setUp(target, io, call);
  const [named = "portal.yaml"] = call.operands;
  // A folder stands for the usual file in it.
  const isFolder = /[\\/]$/.test(named) || statOf(resolve(io.cwd, named))?.isDirectory();
  const file = isFolder ? join(named, "portal.yaml") : named;
  const path = resolve(io.cwd, file);
  if (existsSync(path)) {
    const instead = `, name another file, or check this one:\n  lintel validate ${shellWord(file)}`;
    throw alreadyThere(file, instead);
  }
  const pipeline = pipelineFor(file, io, call.options);
  const answers = await gather(io, call, file);
  const editorFiles = await editorAsked(file, io, call);
  const isFromPortal = call.options["from-portal"];
  if (pipeline) assertOutlivesRunner(file, answers.state, pipeline);
  writeNew(path, file, toYaml(answers, schemaName(path, answers.target), { isFromPortal }), io);
  const written = [file, ...writeSchemaBeside(path, answers.target, io)];
  if (pipeline) {
    pipeline.write([answers]);
    written.push(...pipeline.shown);
  }
  written.push(...(editorFiles?.write() ?? []));
  const isOpen = "url" in fieldsOf(answers.method) && answers.signInUrl === undefined;
  const word = oneLine(shellWord(file));
  const begun = `Wrote ${listed(written)}.${pipeline?.next ?? ""}`;
  if (isFromPortal) {
    const { takeOver } = await import("./from-portal.js");
    const taken = await takeOver(file, io, call);
    return {
      outcome: { ...taken.outcome, command: "init", more: { ...taken.outcome.more, written } },
      text: (paint) => {
        const told = taken.text(paint);
        const pieces = typeof told === "string" ? [told] : [...told];
        return `${begun}\n\n${pieces.join("")}\nSee what it would change:\n  lintel plan ${word}\n`;
      },
    };
  }
  const next = `Next: ${isOpen ? 'write under "signIn" where to sign in, and ' : ""}remove the "# " before the settings that you want to manage. Where the portal is set up already, take over what was chosen there instead; the portal stays as it is:`;
  const kept = `${keptText(answers.state, ci)}${state === undefined && !mayAsk(io, call) ? " To have it elsewhere: --state ADDRESS." : ""}`;
  const text = `${begun}

${wrap(oneLine(kept), call.paint.width).join("\n")}

${wrap(next, call.paint.width).join("\n")}
  lintel pull ${word} --all
Then check the file, and see what it would change:
  lintel validate ${word}
  lintel plan ${word}
`;
  return done("init", { written }, () => text);
};

/** For files that are there already. */
async function setUp(target: string, io: Io, call: Arguments): Promise<Result> {
  const { editor, state } = call.options;
  const editorFiles = editor === "vscode" ? editorFilesFor(target, io) : undefined;
  const pipeline = pipelineFor(target, io, call.options);
  const result = pipeline && (await pipelineBeside(target, pipeline, io, state));
  if (result && (!editorFiles || result.outcome.exit !== 0)) return result;
  return withEditorFiles(editorFiles?.write() ?? [], result);
}

/** Asked where nobody has said it; the usual answer is the one that is there. */
async function editorAsked(
  file: string,
  io: Io,
  call: Arguments,
): Promise<EditorFiles | undefined> {
  const usual = mayAsk(io, call) && usesVsCode(file, io) ? "vscode" : "none";
  const question = `The editor to set up (${EDITORS.join(", ")})`;
  const editor = await answer(io, call, "editor", question, choiceOf(EDITORS), usual);
  return editor === "vscode" ? editorFilesFor(file, io) : undefined;
}

async function gather(io: Io, call: Arguments, file: string): Promise<Answers> {
  const ask = (flag: Flag, question: string, check: Check, byDefault?: string) =>
    answer(io, call, flag, question, check, byDefault);
  const place = "The portal's address (https://gis.example.com/portal)";
  const address = await ask("url", place, checkPortalAddress);
  const url = restOf(address);
  if (url !== address) io.stderr.write(`Its REST interface is taken to be ${url}\n`);
  const versions = catalog.versions.join(", ");
  const checkVersion = (text: string) => (knownVersion(text) ? undefined : `Known: ${versions}.`);
  const target = await ask(
    "target",
    "The portal's version",
    checkVersion,
    (await shownVersion(url, io, call)) ?? catalog.versions.at(-1) ?? "",
  );
  const deployments = catalog.deployments.map((each) => each.name);
  const which = `The deployment (${deployments.join(", ")})`;
  const deployment = await ask("deployment", which, choiceOf(deployments), deployments[0]);
  if (call.options.method === undefined && mayAsk(io, call)) {
    const rows = Object.entries(SIGN_IN_MEANINGS);
    const lines = inColumns(
      rows.map(([name, meaning]) => [`  ${name}`, meaning]),
      call.paint,
    );
    io.stderr.write(`${lines.join("\n")}\n`);
  }
  const checkMethod = choiceOf(Object.keys(SIGN_IN_METHODS));
  const method = await ask("method", "How to sign in", checkMethod, DEFAULT_SIGN_IN_METHOD);
  const service = "The base address of the sign-in service";
  const mayLack = !call.options["from-portal"];
  const checkService = (text: string) => (text === "" && mayLack ? undefined : checkAddress(text));
  const needsService = "url" in fieldsOf(method);
  const signInUrl = needsService
    ? await ask("sign-in-url", service, checkService, mayLack ? "" : undefined)
    : "";
  const checkName = (text: string) => (text.trim() ? undefined : "Write a name.");
  const own = basename(file).replace(/\.ya?ml$/, "");
  const name = await ask("name", "A name for people", checkName, own);
  const { ci } = call.options;
  const path = resolve(io.cwd, file);
  const usual = ci === undefined ? usualState(path, io) : usualFor(ci, path, io);
  if (call.options.state === undefined && mayAsk(io, call)) {
    io.stderr.write(statePlacesText(usual, call.paint));
  }
  const where = "Where to remember what was applied";
  const checkState = (text: string) => whyNoState(text, path, io);
  const state = await ask("state", where, checkState, usual);
  return { url, target, deployment, method, signInUrl: signInUrl || undefined, name, state };
}

/** Asked of the portal where it is going to be asked for more. */
async function shownVersion(url: string, io: Io, call: Arguments): Promise<string | undefined> {
  if (!call.options["from-portal"] || call.options.target !== undefined) return undefined;
  const found = await import("./from-portal.js");
  return found.shownVersion(url, io, call);
}

type Arguments = ParsedArguments<typeof spec.options>;
