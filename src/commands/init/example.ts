// Writes a small folder to start from, for init --example.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EXAMPLES } from "../../../generated/commands/examples.js";
import { done } from "../../cli/result.js";
import { alreadyThere, writeNew } from "../../cli/write-file.js";
import type { Io } from "../../io.js";
import { oneLine, shellWord } from "../../lib/text.js";
import type { Result } from "../command.js";
import { writeSchema } from "../write-schema.js";
import { completed } from "./address.js";
import { needsService, type SignInOptions } from "./sign-in-choice.js";

/** What each example shows, and the commands to run in its folder. */
const NEXT = {
  fleet: ["lintel validate", "lintel plan", "lintel diff portals/north.yaml portals/test.yaml"],
  schedule: ["lintel validate", "lintel plan", "lintel plan --at 2030-06-01T18:00"],
  policy: ["lintel validate", "lintel policy test policy", "lintel plan"],
} as const satisfies Readonly<Record<keyof typeof EXAMPLES, readonly string[]>>;

const PORTAL = /https:\/\/(?:\w+\.)?gis\.example\.com\/portal\/sharing\/rest/g;
/** The comment by which an editor finds a schema. In an example it is that of the project. */
const SCHEMA = /^(# yaml-language-server: \$schema=)\S*\/(\S+)\.schema\.json$/m;
const SIGN_IN = /^signIn:\n {2}url: (.*)$/m;

export interface ExampleOptions extends SignInOptions {
  /** The REST root. */
  readonly url?: string | undefined;
  readonly target?: string | undefined;
}

/** Writes nothing where one of the files exists. */
export function writeExample(
  name: keyof typeof NEXT,
  folder: string,
  options: ExampleOptions,
  io: Io,
): Result {
  const { url, target } = options;
  const files = Object.entries(EXAMPLES[name]).map(([path, text]) => ({
    file: join(folder, path),
    schema: SCHEMA.exec(text)?.[2] ?? "",
    text: text
      .replace(SCHEMA, "$1./$2.schema.json")
      .replaceAll(PORTAL, (usual) => url ?? usual)
      .replace(SIGN_IN, (_, usual: string) => signInText(options, usual))
      .replace(/^targetVersion: .*$/m, (line) => (target ? `targetVersion: "${target}"` : line)),
  }));
  const present = files.find(({ file }) => existsSync(resolve(io.cwd, file)));
  if (present) throw alreadyThere(present.file, ", or name another folder.");
  for (const { file, text } of files) writeNew(resolve(io.cwd, file), file, text, io);
  const schemas = files.flatMap(({ file, schema }) => {
    const asked = schema.replace(/^desired-state-?/, "") || undefined;
    return writeSchema(resolve(io.cwd, dirname(file), `${schema}.schema.json`), asked, io);
  });
  const written = [...files.map(({ file }) => file), ...schemas];
  const enter = folder === "." ? [] : [`cd ${oneLine(shellWord(folder))}`];
  const lines = [
    ...written.map((file) => `Wrote ${oneLine(file)}.`),
    "",
    "Next:",
    ...[...enter, ...NEXT[name]].map((command) => `  ${command}`),
  ];
  return done("init", { written }, () => `${lines.join("\n")}\n`);
}

function signInText({ method, "sign-in-url": url }: ExampleOptions, usual: string): string {
  const lines = [
    ...(method === undefined ? [] : [`method: ${method}`]),
    ...(method === undefined || needsService(method)
      ? [`url: ${url ? completed(url) : usual}`]
      : []),
  ];
  return ["signIn:", ...lines].join("\n  ");
}
