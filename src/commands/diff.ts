// lintel diff: shows the settings in which two files or live portals differ. It changes nothing.
import type { CommandSpec, Run } from "./command.js";
import { AS_OF, NETWORK, PICKING } from "./options.js";
import { diagnosticsOf, eachPortal } from "../apply/each-portal.js";
import { planOptionsOf, planPortal } from "../apply/plan-portal.js";
import { assertReadable, resolvePortal } from "../apply/portal-context.js";
import type { PortalContext, Resolve, Resolved } from "../apply/portal-context.js";
import type { RunContext } from "../apply/run-context.js";
import { openRun, resultOfRun } from "../cli/open-run.js";
import { pickSettings } from "../cli/pick-settings.js";
import { checkResult, problemsAbove } from "../cli/result.js";
import { hasErrors } from "../diagnostic.js";
import { findFiles } from "../document/find.js";
import type { PortalFile } from "../document/read/desired.js";
import { nodeAt, replacedTexts } from "../document/read/tree.js";
import { desiredAt } from "../document/schedule/at.js";
import { EXIT, wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { printJson } from "../lib/json.js";
import { shellWord } from "../lib/text.js";
import { compareSides, type Side, type FileLeaf } from "../plan/comparison.js";
import type { LiveRead } from "../plan/inputs.js";
import { comparisonJson, comparisonReport } from "../report/comparison-report.js";
import type { DesiredLeaf } from "../settings.js";

const LIVE = "live:";

export const spec = {
  operands: "A B",
  options: {
    live: { description: "Compare the live portals of both files." },
    ...AS_OF,
    ...PICKING,
    ...NETWORK,
  },
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel diff staging.yaml production.yaml", "what the files set"],
    ["lintel diff staging.yaml production.yaml --live", "what both portals show"],
    ["lintel diff staging.yaml live:production.yaml", "a file and a live portal"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [from, to] = await sidesNamed(call.operands, call.options.live, io);
  const named = [...new Set([from.file, to.file])];
  const live = new Set([from, to].filter(({ isLive }) => isLive).map(({ file }) => file));
  const options = { files: named, isOnline: live.size > 0, at: call.options.at };
  await using run = await openRun("diff", io, call, options);
  const paths = await pickSettings(call.options.path, named, io);
  const members = await eachPortal(run, named, (each) => readSides(run, each), resolver(live));
  const diagnostics = diagnosticsOf(members).filter(({ severity }) => severity === "error");
  if (hasErrors(diagnostics)) return resultOfRun(run, checkResult("diff", named, diagnostics));
  const failures = members.flatMap(({ failure }) => failure ?? []);
  const [worst] = failures.toSorted((one, other) => other.exit - one.exit);
  if (worst) throw worst;
  const sideOf = ({ file, isLive }: NamedSide): Side => {
    const read = members.find((each) => each.file === file)?.value;
    if (!read || (isLive && !read.live)) throw new TypeError(`"${file}" was not read`);
    const { live: shown, ...side } = read;
    return isLive && shown ? { ...side, live: shown } : side;
  };
  const comparison = compareSides(sideOf(from), sideOf(to), paths);
  const outcome = {
    command: "diff",
    exit: comparison.differences.length > 0 ? EXIT.pending : EXIT.done,
    diagnostics,
    files: named,
    more: { ...comparisonJson(comparison) },
  };
  return resultOfRun(run, {
    outcome,
    text: (styles) => problemsAbove(outcome, styles) + comparisonReport(comparison, styles),
    markdown: async () => {
      const { markdownComparison } = await import("../report/markdown-report.js");
      return markdownComparison(comparison, outcome);
    },
    html: async (made) => {
      const { htmlComparison } = await import("../report/html-report.js");
      return htmlComparison(comparison, outcome, made);
    },
  });
};

interface NamedSide {
  readonly file: string;
  readonly isLive: boolean;
}

async function sidesNamed(
  operands: readonly string[],
  areLive: boolean,
  { cwd }: Io,
): Promise<readonly [NamedSide, NamedSide]> {
  const [from, to] = await Promise.all(
    operands.map(async (word): Promise<NamedSide> => {
      const isLive = word.startsWith(LIVE);
      const name = isLive ? word.slice(LIVE.length) : word;
      const [file, ...more] = name === "" ? [] : await findFiles([name], cwd);
      if (file !== undefined && more.length === 0) return { file, isLive: isLive || areLive };
      const found = file === undefined ? "no file" : `${more.length + 1} files, not one`;
      throw wrongUsage(`"${word}" names ${found}.`, "Name one file on each side.");
    }),
  );
  if (from && to) return [from, to];
  const file = operands[0]?.replace(LIVE, "") ?? "portal.yaml";
  throw wrongUsage(
    "Two files are needed.",
    `Name both:\n  lintel diff staging.yaml production.yaml\nTo show what apply would change:\n  lintel plan ${shellWord(file)}`,
  );
}

/** Without identity and state address, because both sides may be about one portal. */
interface ResolvedSide extends Resolved {
  readonly desired: PortalFile;
  /** Absent where only the file is compared. */
  readonly context?: PortalContext;
}

function resolver(live: ReadonlySet<string>): Resolve<ResolvedSide> {
  return (desired, run) => {
    const { name, url = "", id } = desired.portal;
    const side = { desired, portal: { name, url, id }, credentialHosts: [] };
    if (!live.has(desired.file)) return side;
    const context = resolvePortal(desired, run);
    return { ...side, portal: context.portal, credentialHosts: context.credentialHosts, context };
  };
}

async function readSides(
  run: RunContext,
  { desired, portal, context }: ResolvedSide,
): Promise<Side> {
  const { file, target, root } = desired;
  const leaves = desiredAt(root, run.atMs).leaves.map((leaf) => fileLeaf(leaf, desired));
  const side = { portal, file, target: target.asked, leaves };
  return context ? { ...side, live: await readLive(run, context) } : side;
}

/** As the administrator: an anonymous view leaves settings out. */
async function readLive(run: RunContext, context: PortalContext): Promise<LiveRead> {
  assertReadable(context.desired, ", so it cannot be compared");
  const { live, unable } = await planPortal(run, context, planOptionsOf({ compareWith: "live" }));
  if (unable) throw unable;
  if (live.kind === "read") return live;
  throw new TypeError("a portal that may be read was not read");
}

const OWN_NAME = "${portal.name}";

function fileLeaf(leaf: DesiredLeaf, { root, portal }: PortalFile): FileLeaf {
  const above = leaf.window === undefined ? [] : ["schedule", leaf.window];
  const node = nodeAt(root, [...above, "settings", ...leaf.path]);
  if (!node || !replacedTexts(node).some((each) => each.includes(OWN_NAME))) return leaf;
  return { ...leaf, nameless: printJson(leaf.value).replaceAll(portal.name, () => OWN_NAME) };
}
