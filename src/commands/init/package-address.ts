// Checks --package, from which a pipeline installs Lintel, and reads the sum that its jobs compare.
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { wrongUsage, type Failure } from "../../failure.js";
import { digestOfBytes } from "../../lib/digest.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { oneLine } from "../../lib/text.js";
import type { Package } from "../../pipelines/pipelined.js";

/** A user or a query could be a credential, and the pipeline file is public. */
const ADDRESS = /^https:\/\/[\w.-]+(:\d+)?\/[\w./~%+@=,-]+$/;
/** Pinned to a version: code that sees secrets changes only by a commit. */
const NAME = /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*@\d+\.\d+\.\d+[\w.+-]*$/;
const PATH = /^\.\/[\w./@+-]+$/;

const FORMS =
  "  --package https://packages.example.com/lintel-0.1.0.tgz#sha256=SUM\n  --package @example/lintel@0.1.0#sha512-INTEGRITY\n  --package ./tools/lintel-0.1.0.tgz";

export function packageFor(
  given: string | undefined,
  root: string,
  { cwd }: Pick<Io, "cwd">,
): Package {
  if (given === undefined) {
    throw wrongUsage(
      "The package is missing: a pipeline has to know where Lintel comes from.",
      `Name it with "--package". The release lists the sums in SHA256SUMS:\n${FORMS}`,
    );
  }
  const [address = "", written] = given.split(/#(.*)/s, 2);
  if (/^lintel(@|$)/.test(address)) {
    throw wrongUsage(
      `Nobody has published Lintel under the name "lintel", and anyone could take that name.`,
      `Publish the package in a registry of yours, or at an address, and name that:\n${FORMS}`,
    );
  }
  if (ADDRESS.test(address) || NAME.test(address)) {
    const sum = written === undefined ? undefined : sumIn(written);
    if (sum) return { address, sum };
    throw wrongUsage(
      `The package "${address}" has no sum, so a job could not tell whether it is the right one.`,
      `Add "#sha256=" and the sum in SHA256SUMS of the release, or "#" and the integrity that the registry shows:\n${FORMS}`,
    );
  }
  return fileFor(given, root, resolve(cwd, given));
}

/** As SHA256SUMS writes it, or as registries of npm do. */
function sumIn(written: string): Package["sum"] | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(written) ?? [];
  if (hex) return { algorithm: "sha256", hex: hex.toLowerCase() };
  const [, base64 = ""] = /^sha512-([A-Za-z\d+/]+={0,2})$/.exec(written) ?? [];
  const bytes = Buffer.from(base64, "base64");
  return bytes.length === 64 ? { algorithm: "sha512", hex: bytes.toString("hex") } : undefined;
}

/** Jobs run at the root of the repository. */
function fileFor(given: string, root: string, path: string): Package {
  if (!/^\.{0,2}\//.test(given) && !statOf(path)) throw refused(given);
  const inside = `./${relative(root, path).split(sep).join("/")}`;
  if (!PATH.test(inside) || inside.startsWith("./../")) throw refused(given);
  if (statOf(path)?.isFile()) {
    return {
      address: inside,
      sum: { algorithm: "sha256", hex: digestOfBytes(readFileSync(path)) },
    };
  }
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
    `Write an https address without a user and a query, a name with its version, or a file in the repository:\n${FORMS}`,
  );
}
