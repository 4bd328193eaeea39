// One reference → the text that it stands for, within what a change under review may refer to.
import { isUtf8 } from "node:buffer";
import { dirname, isAbsolute, resolve } from "node:path";
import { didYouMean, type Diagnostic } from "../diagnostic.js";
import { reasonOf } from "../file.js";
import { readBytes } from "./read.js";
import { isOpenTo, repositoryOf } from "./repository.js";
import { diagnose, type Scalar } from "./tree.js";

export type Env = Readonly<Record<string, string | undefined>>;

/** The variables that anything under review may refer to; all others may hold secrets. */
const OPEN_VARIABLE = /^LINTEL_VAR_/;

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** What a reference is looked up in. */
export interface Surroundings {
  /** Everything may be referred to, and what a reference stands for is shown nowhere. */
  readonly isOpen?: true;
  readonly env: Env;
  /** Undefined while the name itself is being found out. */
  readonly portalName: string | undefined;
  /** Told of every file that is looked for. */
  readonly noteFile?: (path: string) => void;
}

interface Written {
  readonly whole: string;
  readonly kind: string | undefined;
  readonly body: string;
  readonly close: string;
}

/** What one reference stands for, or why it stands for nothing here. */
export function findReferred(
  node: Scalar,
  written: Written,
  context: Surroundings,
): string | Diagnostic {
  const { whole, kind, body, close } = written;
  if (kind === undefined) {
    return (
      context.portalName ??
      diagnose(
        "bad-reference",
        node,
        `"${whole}" stands inside the portal's own name.`,
        "Write the name out.",
      )
    );
  }
  if (body.includes("${")) {
    return diagnose(
      "bad-reference",
      node,
      `"${whole}" holds another reference.`,
      "Write one after the other; a fallback is plain text.",
    );
  }
  if (close === "") {
    return diagnose(
      "bad-reference",
      node,
      `"${whole}" lacks its closing brace.`,
      'Write "}" after it. For the text as it stands, double the dollar: "$${".',
    );
  }
  return kind === "env" ? findVariable(node, body, context) : findFile(node, body, context);
}

function findVariable(
  node: Scalar,
  body: string,
  { env, isOpen }: Surroundings,
): string | Diagnostic {
  const match = VARIABLE.exec(body);
  const [, name = "", fallback] = match ?? [];
  if (!match) {
    return diagnose(
      "bad-reference",
      node,
      `"\${env:${body}}" names no variable.`,
      "Write ${env:LINTEL_VAR_NAME}, or ${env:LINTEL_VAR_NAME:-fallback}.",
    );
  }
  if (!isOpen && !OPEN_VARIABLE.test(name)) {
    return diagnose(
      "forbidden-variable",
      node,
      `The variable "${name}" may not be referred to here, because only variables named LINTEL_VAR_… hold nothing secret.`,
      `If it holds nothing secret, give it such a name:\n  LINTEL_VAR_${name.replace(/^LINTEL_/, "")}`,
    );
  }
  const value = env[name] ?? fallback;
  if (value !== undefined) return value;
  const known = Object.keys(env).filter((each) => OPEN_VARIABLE.test(each));
  return diagnose(
    "undefined-variable",
    node,
    `The variable "${name}" is not defined.`,
    didYouMean(name, known) ??
      `Define it, or write a fallback: \${env:${name}:-fallback}. For the text as it stands, double the dollar: $\${.`,
  );
}

function findFile(
  node: Scalar,
  body: string,
  { isOpen, noteFile }: Surroundings,
): string | Diagnostic {
  const refuse = (message: string, help: string) => diagnose("bad-reference", node, message, help);
  const from = node.span.source.path;
  if (body === "") {
    return refuse('"${file:}" names no file.', "Write ${file:path/to/text.txt}.");
  }
  if (from === undefined && !isAbsolute(body)) {
    return refuse(
      `"${body}" cannot be found from standard input, which lies in no folder.`,
      "Check a file instead of standard input.",
    );
  }
  const path = from ? resolve(dirname(from), body) : body;
  const open = from ? (repositoryOf(from) ?? dirname(from)) : undefined;
  if (!isOpen && (!open || !isOpenTo(open, path))) {
    return diagnose(
      "outside-repository",
      node,
      `"${body}" is not a file that a review of this ${open && open !== dirname(from ?? "") ? "repository" : "folder"} shows.`,
      "Refer to a file beside this one or in the same repository, and to none that is hidden.",
    );
  }
  noteFile?.(path);
  try {
    const bytes = readBytes(path);
    if (!isUtf8(bytes) || bytes.includes(0)) {
      return refuse(`"${body}" is not a text in UTF-8.`, "Save it as UTF-8.");
    }
    return new TextDecoder().decode(bytes).replace(/\r?\n$/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR"
      ? refuse(`There is no file "${body}".`, "Check the path; it starts from this file's folder.")
      : refuse(
          `"${body}" cannot be read: ${reasonOf(error) ?? String(error)}.`,
          "Check the path and its permissions.",
        );
  }
}
