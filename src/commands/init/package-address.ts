// Checks --package, from which a pipeline installs Lintel.
import { relative, resolve, sep } from "node:path";
import { wrongUsage, type Failure } from "../../failure.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { oneLine } from "../../lib/text.js";

/** A user, a query or a fragment could be a credential, and the pipeline file is public. */
const ADDRESS = /^https:\/\/[\w.-]+(:\d+)?\/[\w./~%+@=,-]+$/;
/** Pinned to a version: code that sees secrets changes only by a commit. */
const NAME = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*@\d+\.\d+\.\d+[\w.+-]*$/;
const PATH = /^\.\/[\w./@+-]+$/;

export function packageFor(given: string, root: string, { cwd }: Pick<Io, "cwd">): string {
  if (ADDRESS.test(given) || NAME.test(given)) return given;
  const path = resolve(cwd, given);
  if (!/^\.{0,2}\//.test(given) && !statOf(path)) throw refused(given);
  // Jobs run at the root of the repository.
  const inside = `./${relative(root, path).split(sep).join("/")}`;
  if (!PATH.test(inside) || inside.startsWith("./../")) throw refused(given);
  if (statOf(path)?.isFile()) return inside;
  throw wrongUsage(
    `There is no file "${oneLine(given)}".`,
    "Make the package with npm pack, or name another one.",
  );
}

function refused(given: string): Failure {
  // It may hold a password.
  const shown = oneLine(given.replace(/\/\/.*@/s, "//…@").replace(/([?;&#]).*/s, "$1…"));
  return wrongUsage(
    `A pipeline cannot install "${shown}".`,
    "Write an https address without a user and a query, a name with its version, or a file in the repository:\n  --package https://packages.example.com/lintel-0.1.0.tgz\n  --package @example/lintel@0.1.0\n  --package ./tools/lintel-0.1.0.tgz",
  );
}
