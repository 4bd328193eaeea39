// lintel migrate: old configuration files → a desired-state file, and what became of each property.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { NETWORK } from "../options.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { hasErrors, sortDiagnostics, type Diagnostic } from "../../diagnostic.js";
import { EXIT, wrongUsage } from "../../failure.js";
import { diagnoseFiles } from "../../migrate/diagnose.js";
import { readPortalAddress, type PortalAddress } from "../../migrate/location.js";
import { migrate } from "../../migrate/migrate.js";
import { checkResult } from "../../cli/result.js";
import { readDraft, type Into } from "./draft.js";
import { finish } from "./finish.js";
import { isAddress, readOldFile } from "./old-file.js";
import { alreadyThere } from "../../cli/write-file.js";
import { shellWord } from "../../lib/text.js";

export const spec = {
  operands: "FILE…",
  options: {
    target: {
      value: "VERSION",
      offers: catalog.versions,
      description: "Current portal version, optional with --into.",
    },
    "portal-url": {
      value: "URL",
      description: "Portal address, for values that depend on it.",
    },
    all: { description: "Include values that portals were shipped with." },
    out: {
      value: "FILE",
      description: "Write a new desired-state file and schema.",
    },
    into: { value: "FILE", description: "Add to an existing desired-state file." },
    ...NETWORK,
  },
  formats: ["text", "json", "markdown", "html", "sarif", "junit", "github", "gitlab"],
  examples: [
    ["lintel migrate config.js --target 11.0", "print the YAML"],
    ["lintel migrate config.js --target 11.0 --out portal.yaml", "write a new file to review"],
    ["lintel migrate config.js --into portal.yaml", "add to an existing file"],
    ["lintel migrate https://gis.example.com/portal --target 11.0", "read it from the portal"],
    ["lintel migrate config.js overrides.js --target 11.0", "apply overrides.js to config.js"],
  ],
} as const satisfies CommandSpec;

export type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  if (call.operands.length === 0) {
    throw wrongUsage(
      "No old configuration file is named.",
      "Name the file, the folder that it lies in, or the portal's address:\n  lintel migrate config.js --target 11.0 --out portal.yaml",
    );
  }
  const { out, into, all: takesAll } = call.options;
  if (out !== undefined && into !== undefined) {
    throw wrongUsage(
      'Both "--out" and "--into" are given.',
      'Keep "--out" for a new file, or "--into" for one that is there.',
    );
  }
  if (out !== undefined && existsSync(resolve(io.cwd, out))) {
    const old = call.operands.map(shellWord).join(" ");
    throw alreadyThere(
      out,
      `, name another file, or add to this one:\n  lintel migrate ${old} --into ${shellWord(out)}`,
    );
  }
  const host = into === undefined ? undefined : readDraft(into, io);
  if (host && "problems" in host) return problems(host.problems, [into ?? ""]);
  const target = targetOf(call, host);
  const portal = portalOf(call);

  const readings = [];
  for (const named of call.operands) readings.push(await readOldFile(named, io, call));
  const missed = readings.flatMap((each) => ("problem" in each ? [each.problem] : []));
  if (missed.length > 0) return problems(missed, call.operands);
  const files = readings.flatMap((each) => ("old" in each ? [each.old] : []));

  const migration = await migrate(files, { target, takesAll, portal });
  const about = diagnoseFiles(migration, portal);
  const named = files.map(({ file }) => file);
  if (hasErrors(about)) return problems(about, named);
  return finish({ io, call, files, migration, about, target, portal, host, out });
};

function targetOf(call: Arguments, host: Into | undefined): string {
  const asked = call.options.target;
  if (asked !== undefined && !knownVersion(asked)) {
    throw wrongUsage(
      `"${asked}" is no version that the reference lists, nor a later one.`,
      "Say which version the portal has now, such as:\n  --target 11.0",
    );
  }
  if (host) {
    if (asked === undefined || asked === host.target) return host.target;
    throw wrongUsage(
      `"${host.file}" has the target ${host.target}, and "--target" says ${asked}.`,
      `Leave "--target" out, or change the file first:\n  lintel upgrade ${shellWord(host.file)} --to ${asked} --write`,
    );
  }
  if (asked !== undefined) return asked;
  throw wrongUsage(
    'The option "--target" is missing.',
    "Say which version the portal has now, such as:\n  --target 11.0",
  );
}

/** Where a file is read from the portal itself, that is where the portal is. */
function portalOf(call: Arguments): PortalAddress | undefined {
  const asked = call.options["portal-url"];
  if (asked !== undefined) {
    const portal = readPortalAddress(asked);
    if (portal) return portal;
    throw wrongUsage(
      `"${asked}" is no value of "--portal-url".`,
      "Write the whole address of the portal, such as:\n  --portal-url https://gis.example.com/portal",
    );
  }
  const address = call.operands
    .find(isAddress)
    ?.replace(/\/js\/(?:esri\/)?arcgisonline\/config\.js$/, "");
  return address === undefined ? undefined : readPortalAddress(address);
}

function problems(diagnostics: readonly Diagnostic[], files: readonly string[]): Result {
  const result = checkResult("migrate", files, sortDiagnostics(diagnostics));
  const more = { properties: [], written: [] };
  return { ...result, outcome: { ...result.outcome, exit: EXIT.invalid, more } };
}
