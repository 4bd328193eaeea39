// A call that is about one portal and its state → the work done for it, or what is wrong with its file.
import { eachPortal } from "../../run/fleet.js";
import type { Io } from "../../io.js";
import { outcomeOfCheck } from "../../outcome.js";
import type { ReachablePortal, Tools } from "../../run/reachable.js";
import type { Result } from "../command.js";
import type { Network } from "./network.js";
import { invalid, onlyFile } from "./one-file.js";
import { withTools, type Looking } from "./plan-options.js";

export function withOnePortal(
  io: Io,
  network: Network,
  command: string,
  files: readonly string[],
  work: (portal: ReachablePortal, tools: Tools) => Promise<Result>,
  looking?: Looking,
): Promise<Result> {
  const one = async (tools: Tools) => {
    const file = onlyFile(command, files);
    const [member] = await eachPortal([file], tools, 1, async (portal) => portal);
    if (member?.value) return work(member.value, tools);
    if (member?.failure && member.failure.code !== "file-invalid") throw member.failure;
    return invalid(outcomeOfCheck(command, files, member?.diagnostics ?? []));
  };
  return withTools(io, network, command, files, one, looking);
}
