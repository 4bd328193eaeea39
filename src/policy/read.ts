// Reads and compiles policies from files and folders, and always reports a broken one.
import { join, relative, resolve } from "node:path";
import { aboutFile, hasErrors, type Diagnostic } from "../diagnostic.js";
import { openCompiler } from "../document/check/compile.js";
import { filesBelow } from "../document/find.js";
import { readSource } from "../document/read/bytes.js";
import { parse } from "../document/read/parse.js";
import {
  childOf,
  diagnose,
  entriesOf,
  itemsOf,
  textOf,
  toJson,
  type Entry,
  type Node,
} from "../document/read/tree.js";
import { statOf } from "../lib/files.js";
import { Failure } from "../failure.js";
import { bounded, Unjudged } from "./judge.js";
import { referencePath } from "../catalog/spelling.js";
import type { Condition, Example, Policy, ReadPolicies } from "./policy.js";
import { wrongShape } from "./shape.js";

/** Names files relative to `cwd` in messages. */
export function readPolicies(paths: readonly string[], cwd: string): ReadPolicies {
  const files = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const path of paths) {
    const found = policyFiles(path, cwd);
    if (Array.isArray(found)) for (const file of found) files.add(file);
    else problems.push(found);
  }
  const read = [...files].map((file) => readPolicy(file, cwd));
  problems.push(...read.flatMap((each) => each.problems));
  const policies = read.flatMap(({ policy }) => policy ?? []);
  return { policies, problems: [...problems, ...sameNames(policies)] };
}

/** The files of a folder, or the file itself, even if missing: reading it reports that. */
export function policyFiles(path: string, cwd: string): string[] | Diagnostic {
  const whole = resolve(cwd, path);
  if (!statOf(whole)?.isDirectory()) return [path];
  try {
    const files = filesBelow(whole).filter((each) => /\.ya?ml$/.test(each));
    if (files.length > 0) return files.map((each) => shown(each, path, cwd));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return aboutFile(
      "file-not-readable",
      path,
      error.message,
      error.help ?? "Name another folder.",
    );
  }
  return aboutFile(
    "file-not-found",
    path,
    `The folder "${path}" holds no policy, which is a .yaml or .yml file.`,
    "Name the folder that holds them. Ready ones to begin with:\n  lintel help policy",
  );
}

/** The file's name, relative like that of the folder. */
function shown(file: string, folder: string, cwd: string): string {
  return join(folder, relative(resolve(cwd, folder), file));
}

export function readPolicy(
  file: string,
  cwd: string,
): { readonly policy?: Policy; readonly problems: readonly Diagnostic[] } {
  const { source, problem } = readSource({ file, cwd });
  if (!source) {
    const isMissing = problem.code === "file-not-found";
    const help = isMissing ? "Check the path of the policy." : problem.help;
    return { problems: [{ ...problem, help }] };
  }
  const { root, problems } = parse(source);
  if (!root) return { problems };
  const wrong = [...problems, ...wrongShape(root)];
  if (hasErrors(wrong)) return { problems: wrong };
  const uncompiled: Diagnostic[] = [];
  const compile = openCompiler();
  const conditions = (part: "when" | "must") =>
    [...entriesOf(childOf(root, part))].flatMap(([path, entry]): Condition[] => {
      const found = conditionAt(path, entry, compile);
      if ("check" in found) return [found];
      uncompiled.push(found);
      return [];
    });
  const text = (name: string) => textOf(childOf(root, name)) ?? "";
  const policy: Policy = {
    name: text("name"),
    severity: text("severity") === "warning" ? "warning" : "error",
    message: text("message"),
    help: text("help"),
    timeZone: text("timeZone") || "UTC",
    when: conditions("when"),
    must: conditions("must"),
    examples: examplesOf(root),
    file,
    at: childOf(root, "name") ?? root,
  };
  const all = [...wrong, ...uncompiled];
  return hasErrors(all) ? { problems: all } : { policy, problems: [...all, ...chosenNames(root)] };
}

function conditionAt(
  path: string,
  { key, value }: Entry,
  compile: ReturnType<typeof openCompiler>,
): Condition | Diagnostic {
  const [first = "", ...below] = path.split(".");
  const parts = first === "settings" ? referencePath(below).map(String) : below;
  try {
    const check = bounded(() => compile(toJson(value) ?? true));
    return { path: [first, ...parts], check, at: key };
  } catch (error) {
    // ajv throws for an invalid schema.
    const why = (error as Error).message.replace(/^strict mode: /, "");
    const message = `The schema of "${path}" cannot be used: ${why}.`;
    const help = "Write a JSON Schema of the dialect 2020-12, with keywords that it has.";
    return diagnose("wrong-format", error instanceof Unjudged ? key : value, message, help);
  }
}

function examplesOf(root: Node): Example[] {
  return (["good", "bad"] as const).flatMap((kind) =>
    itemsOf(childOf(childOf(root, "examples"), kind)).map((node) => ({
      kind,
      given: toJson(node) ?? {},
      at: node,
    })),
  );
}

/** A file under review chooses its own names, so they select nothing reliably. */
function chosenNames(root: Node): Diagnostic[] {
  return ["portal.name", "file"].flatMap((path) => {
    const entry = entriesOf(childOf(root, "when")).get(path);
    if (!entry) return [];
    const message = `"${path}" is for the file under review to choose, so that a change can step around this policy.`;
    const help = "Pick portals by what they are:\n  when:\n    portal.host: { pattern: … }";
    return [diagnose("policy-by-name", entry.key, message, help)];
  });
}

/** Reports could not distinguish two policies of one name. */
export function sameNames(policies: readonly Policy[]): Diagnostic[] {
  const first = new Map<string, Policy>();
  return policies.flatMap((policy) => {
    const other = first.get(policy.name);
    first.set(policy.name, other ?? policy);
    if (!other) return [];
    const message = `"${other.file}" has a policy called "${policy.name}" already.`;
    return [diagnose("duplicate-key", policy.at, message, "Give each policy a name of its own.")];
  });
}
