// A call → its files and the tools of its run, for the work that is done with them.
import packageFacts from "../../../package.json" with { type: "json" };
import { findFiles } from "../../document/find.js";
import { counted, shellWord } from "../../lib/text.js";
import type { Io } from "../../io.js";
import { assertPoliciesUsable, openPolicing } from "../../apply/policy-checks.js";
import type { RunContext } from "../../apply/portal-context.js";
import type { ParsedArguments, Result, Values } from "../command.js";
import type { FLEET, POLICY } from "../options.js";
import { amongMany } from "./many.js";
import { pickPortals } from "./pick-portals.js";
import { watch, type Watched } from "./progress.js";
import { withNetwork, type NetworkArguments, type Network, type Purpose } from "./network.js";

interface Use {
  /** Those that the call names, where it does not say otherwise. */
  readonly files?: readonly string[] | undefined;
  readonly purpose?: Purpose;
  /** A run that looks at no portal asks nobody where credentials may go. */
  readonly isLooking?: boolean | undefined;
  /** The moment whose settings are wanted, where that is not now. */
  readonly asOf?: number | undefined;
}

type Named = NetworkArguments &
  Pick<ParsedArguments, "operands"> & {
    readonly options: Partial<Pick<Values<typeof FLEET>, "only" | "shard"> & Values<typeof POLICY>>;
  };

export function toolsOf(
  command: string,
  { io, progress }: Pick<Watched, "io" | "progress">,
  network: Network,
  files: readonly string[],
  { isLooking = true, asOf }: Pick<Use, "isLooking" | "asOf"> = {},
): RunContext {
  return {
    io,
    ...network,
    progress,
    isLooking,
    toolVersion: packageFacts.version,
    atMs: asOf ?? io.now(),
    ...(asOf !== undefined && { asOf }),
    run: ["lintel", command, ...files.slice(0, 3).map(shellWord)].join(" "),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

/** Of the files that are named, for those that the call picks. */
export async function withTools(
  command: string,
  io: Io,
  call: Named,
  work: (tools: RunContext, files: readonly string[]) => Promise<Result>,
  { files: known, purpose = "reading", isLooking, asOf }: Use = {},
): Promise<Result> {
  const {
    only = [],
    shard,
    policy,
    quiet: isQuiet = false,
    verbose: isVerbose = false,
  } = call.options;
  const named = known ?? (await findFiles(call.operands, io.cwd));
  const files = known ?? (await pickPortals(named, { only, shard }, io));
  // Only a command that plans has the option.
  const policing = policy && openPolicing(policy, io);
  if (policing) await assertPoliciesUsable(policing);
  const watched = watch(io, { isQuiet, isVerbose });
  try {
    const inNetwork = (network: Network) =>
      amongMany(files.length, () =>
        work(
          {
            ...toolsOf(command, watched, network, files, { isLooking, asOf }),
            ...(policing && { policing }),
          },
          files,
        ),
      );
    const isAgeShown = !isQuiet && (command === "plan" || command === "apply");
    const result = await withNetwork(watched.io, call, purpose, inNetwork, { isAgeShown });
    const by = [
      ...(only.length > 0 ? ["--only"] : []),
      ...(shard === undefined ? [] : ["--shard"]),
    ];
    return by.length === 0 ? result : withLeftOut(result, named.length - files.length, by);
  } finally {
    watched.close();
  }
}

/** Nobody must take some portals for all. */
function withLeftOut(result: Result, left: number, by: readonly string[]): Result {
  const { outcome, ...rest } = result;
  const verb = left === 1 ? "is" : "are";
  const line = `${counted(left, "portal")} ${verb} left out by ${by.join(" and ")}.\n`;
  return {
    ...rest,
    outcome: { ...outcome, more: { ...outcome.more, portalsLeftOut: left } },
    text: (paint) => {
      const told = result.text(paint);
      return [...(typeof told === "string" ? [told] : told), left > 0 ? line : ""];
    },
  };
}
