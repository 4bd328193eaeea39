// Checks files and plans against policies. Loads nothing without a policy.
import {
  aboutFile,
  formatPlace,
  hasErrors,
  sortDiagnostics,
  type Diagnostic,
} from "../diagnostic.js";
import { isPart, type Checked } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredOf, type PortalFile } from "../document/read/desired.js";
import { nodeAt } from "../document/read/tree.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { OwnPaths, Policies } from "../policy/policies.js";
import type { Plan } from "../plan/plan.js";
import type { Judging } from "../policy/judging.js";
import type { PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { identityOf } from "../state/key.js";
import { shellWord } from "../lib/text.js";
import { delimiter } from "node:path";

export interface PolicyChecks {
  /** Undefined if neither the run nor the file names a policy. */
  of(desired: PortalFile): Promise<Policed | undefined>;
  /** The problems of policies from outside of the repository. */
  problems(): Promise<readonly Diagnostic[]>;
}

/** The findings of policies for a file and its plan. */
export interface Judged {
  readonly findings?: readonly Diagnostic[] | undefined;
}

/** The policies that the file names itself. */
export interface Policed extends OwnPaths {
  readonly judging: Judging;
  readonly problems: readonly Diagnostic[];
}

/** The paths from the command line and from the variable. Neither replaces the other. */
export function pathsFromOutside(given: readonly string[], { env }: Pick<Io, "env">): string[] {
  const named = (env["LINTEL_POLICY"] ?? "").split(delimiter).filter((path) => path !== "");
  return [...given, ...named];
}

/** `given` are the paths of the command line. */
export function openPolicyChecks(
  given: readonly string[],
  { cwd, env }: Pick<Io, "cwd" | "env">,
): PolicyChecks {
  const paths = pathsFromOutside(given, { env });
  let opened: Promise<Policies> | undefined;
  const open = () => {
    return (opened ??= import("../policy/policies.js").then(({ openPolicies }) =>
      openPolicies(paths, cwd),
    ));
  };
  return {
    problems: async () => (paths.length > 0 ? (await open()).outside.problems : []),
    of: async (desired) => {
      if (paths.length === 0 && !nodeAt(desired.root, ["policy"])) return undefined;
      const { policies, ...own } = (await open()).of(desired);
      const { openJudging } = await import("../policy/judging.js");
      const { url, id } = desired.portal;
      const key = url !== undefined && URL.canParse(url) ? identityOf(url, id).key : undefined;
      return { judging: openJudging(desired, key, policies), ...own };
    },
  };
}

/** A policy that fails is a problem of the file. The other policies are still checked. */
function foundIn(file: string, judging: Judging, io: Io): readonly Diagnostic[] {
  try {
    return judging.ofFile(io.now());
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "policy-not-usable") throw error;
    return [aboutFile(error.code, file, error.message, error.help ?? "")];
  }
}

/** A policy that fails must not look like one without findings. */
export async function assertPoliciesUsable(checks: PolicyChecks): Promise<void> {
  const problems = (await checks.problems()).filter(({ severity }) => severity === "error");
  if (problems.length > 0) throw unusable(problems);
}

export function unusable(problems: readonly Diagnostic[]): Failure {
  const [first] = problems.filter(({ severity }) => severity === "error");
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new Failure(
    "policy-not-usable",
    `A policy is broken. ${first ? `${formatPlace(first)}: ${first.message}` : ""}${more}`,
    `${first?.help ?? ""}\nSee all problems:\n  lintel policy test ${shellWord(first?.file ?? "policy")}`,
  );
}

/** As of the clock of the run, or of the moment of the plan. */
export function findingsOf(
  { judging, leaves, isRollback }: Pick<PortalContext, "judging" | "leaves" | "isRollback">,
  { changes }: Plan,
  { io, asOf }: Pick<RunContext, "io" | "asOf">,
): readonly Diagnostic[] {
  return judging?.ofPlan({ leaves, changes, isRollback, atMs: asOf ?? io.now() }) ?? [];
}

/** Checks a file by policies, as far as possible without a portal. */
export async function checkByPolicies(
  file: string,
  io: Io,
  checks: PolicyChecks,
): Promise<Checked> {
  const checked = await checkFile(file, io);
  const { root, diagnostics } = checked;
  if (!root || hasErrors(diagnostics) || isPart(file)) return checked;
  const policed = await checks.of(desiredOf(file, root));
  if (!policed) return checked;
  const found = hasErrors(policed.problems) ? [] : foundIn(file, policed.judging, io);
  return {
    ...checked,
    diagnostics: sortDiagnostics([...diagnostics, ...found, ...policed.problems]),
  };
}
