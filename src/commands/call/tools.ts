// A call → its files and the tools of its run, for the work that is done with them.
import packageFacts from "../../../package.json" with { type: "json" };
import { checkFile } from "../../document/check/check-file.js";
import { desiredOf } from "../../document/read/desired.js";
import { findFiles } from "../../document/find.js";
import { hasErrors } from "../../diagnostic.js";
import { wrongUsage } from "../../failure.js";
import { shellWord } from "../../text.js";
import type { Io } from "../../io.js";
import { eachReached } from "../../run/fleet.js";
import { reach, type Reach, type ReachablePortal, type Tools } from "../../run/reachable.js";
import type { Call, Result } from "../command.js";
import { checkResult } from "../result/result.js";
import { watch, type Watched } from "./progress.js";
import { withNetwork, type Called, type Network, type Purpose } from "./network.js";

interface Use {
  /** Those that the call names, where it does not say otherwise. */
  readonly files?: readonly string[] | undefined;
  readonly purpose?: Purpose;
  /** A run that looks at no portal asks nobody where credentials may go. */
  readonly isLooking?: boolean;
  /** Where the state is looked for elsewhere than the file says. */
  readonly reach?: Reach<ReachablePortal>;
}

type Named = Called & Pick<Call, "operands">;

export function toolsOf(
  command: string,
  { io, progress }: Pick<Watched, "io" | "progress">,
  network: Network,
  files: readonly string[],
  isLooking = true,
): Tools {
  return {
    io,
    ...network,
    progress,
    isLooking,
    toolVersion: packageFacts.version,
    run: ["lintel", command, ...files.slice(0, 3).map(shellWord)].join(" "),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

export async function withTools<T>(
  command: string,
  io: Io,
  call: Named,
  work: (tools: Tools, files: readonly string[]) => Promise<T>,
  { files: known, purpose = "reading", isLooking }: Use = {},
): Promise<T> {
  const files = known ?? (await findFiles(call.operands, io.cwd));
  const { quiet: isQuiet = false, verbose: isVerbose = false } = call.options;
  const watched = watch(io, { isQuiet, isVerbose });
  try {
    return await withNetwork(watched.io, call, purpose, (network) =>
      work(toolsOf(command, watched, network, files, isLooking), files),
    );
  } finally {
    watched.close();
  }
}

/** The work done for the one portal that a call is about, or what is wrong with its file. */
export function withOnePortal(
  command: string,
  io: Io,
  call: Named,
  work: (portal: ReachablePortal, tools: Tools) => Promise<Result>,
  use: Use = {},
): Promise<Result> {
  const one = async (tools: Tools, files: readonly string[]) => {
    const file = onlyFile(command, files);
    const reaching = { concurrency: 1, reach: use.reach ?? reach };
    const [member] = await eachReached([file], tools, reaching, async (portal) => portal);
    if (member?.value) return work(member.value, tools);
    if (member?.failure && member.failure.code !== "file-invalid") throw member.failure;
    return checkResult(command, files, member?.diagnostics ?? []);
  };
  return withTools(command, io, call, one, use);
}

/** The one file that a call is about, checked; what it wants is undefined where it has errors. */
export async function readOneFile(command: string, io: Io, { operands }: Pick<Call, "operands">) {
  const file = onlyFile(command, await findFiles(operands, io.cwd));
  const checked = await checkFile(file, io);
  const isFit = checked.root && !hasErrors(checked.diagnostics);
  return { ...checked, desired: isFit ? desiredOf(file, checked.root) : undefined };
}

function onlyFile(command: string, [file, second]: readonly string[]): string {
  if (file !== undefined && second === undefined) return file;
  throw wrongUsage(
    "More than one file is meant, and this command is about one portal.",
    `Name one of them, such as:\n  lintel ${command} ${shellWord(file ?? "FILE")}`,
  );
}
