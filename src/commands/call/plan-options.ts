// A call's options → what a plan is to be like, the portals it is for, and the tools of the run.
import packageFacts from "../../../package.json" with { type: "json" };
import { findFiles } from "../../document/find.js";
import { GUARDS } from "../../guard.js";
import { shellWord } from "../../text.js";
import type { Io } from "../../io.js";
import type { PlanOptions } from "../../run/portal.js";
import type { Tools } from "../../run/reachable.js";
import type { Waiting } from "../../run/open-journal.js";
import type { Call, Values } from "../command.js";
import { PLANNING, type LOCK_TIMEOUT, type UPDATING } from "../options.js";
import type { Network } from "./network.js";

/** Of the options that a plan is made with, those that the command has. */
type PlanningOptions = Partial<
  Values<typeof PLANNING> & { readonly "no-state": boolean; readonly offline: boolean }
>;

export function planOptionsOf(options: PlanningOptions): PlanOptions {
  const { allow = [], send = PLANNING.send.default } = options;
  return {
    allow: GUARDS.filter((name) => allow.includes(name)),
    send,
    compareWith: options["no-state"] ? "live" : options.offline ? "last" : "live-and-last",
  };
}

export function lockTimeoutMs({ options }: Call<typeof LOCK_TIMEOUT>): number {
  return 1000 * options["lock-timeout"];
}

export function waitingOf(call: Call<typeof UPDATING>): Waiting {
  return { lockTimeoutMs: lockTimeoutMs(call), mayWait: !call.options["no-wait"] };
}

/** A run that looks at no portal asks nobody where credentials may go. */
export function toolsOf(
  io: Io,
  { http, signIns, permits }: Network,
  command: string,
  files: readonly string[],
  { isLooking = true }: Looking = {},
): Tools {
  return {
    io,
    http,
    signIns,
    permits: isLooking ? permits : undefined,
    toolVersion: packageFacts.version,
    run: ["lintel", command, ...files.slice(0, 3).map(shellWord)].join(" "),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

export interface Looking {
  readonly isLooking?: boolean;
}

/** The network is closed as soon as the work has ended, however it did. */
export async function withTools<T>(
  io: Io,
  network: Network,
  command: string,
  files: readonly string[],
  work: (tools: Tools) => Promise<T>,
  looking: Looking = {},
): Promise<T> {
  try {
    return await work(toolsOf(io, network, command, files, looking));
  } finally {
    await network.close();
  }
}

export function filesOf(io: Io, { operands }: Pick<Call, "operands">): Promise<string[]> {
  return findFiles(operands, io.cwd);
}
