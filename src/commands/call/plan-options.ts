// A call's options → what a plan is to be like, the portals it is for, and the tools of the run.
import packageFacts from "../../../package.json" with { type: "json" };
import { findFiles } from "../../document/find.js";
import type { Bound } from "../../run/fleet.js";
import { GUARDS, type GuardName } from "../../guard.js";
import { shellWord } from "../../text.js";
import type { Io } from "../../io.js";
import type { Options } from "../../plan/inputs.js";
import type { Tools, Wishes } from "../../run/portal.js";
import type { Waiting } from "../../run/open-journal.js";
import { numberOf, valueOf, type Call } from "../command.js";
import type { Network } from "./network.js";

const DEFAULT_CONCURRENCY = 8;
/** As long as a holder that died elsewhere must be silent, and then as long again. */
const DEFAULT_LOCK_TIMEOUT_S = 60;

export function wishesOf(call: Call): Wishes {
  const given = call.options["allow"];
  const allow = Array.isArray(given) ? (given as GuardName[]) : [];
  return {
    allow: GUARDS.filter((name) => allow.includes(name)),
    send: (valueOf(call, "send") ?? "known") as Options["send"],
    compareWith: call.options["no-state"]
      ? "live"
      : call.options["offline"]
        ? "last"
        : "live-and-last",
  };
}

export function boundOf(io: Io, call: Call): Bound {
  const concurrency =
    numberOf(call, "concurrency", { least: 1, most: 256, isWhole: true }) ?? DEFAULT_CONCURRENCY;
  return { io, concurrency };
}

export function lockTimeoutMs(call: Call): number {
  return (
    1000 * (numberOf(call, "lock-timeout", { least: 0, most: 86_400 }) ?? DEFAULT_LOCK_TIMEOUT_S)
  );
}

export function waitingOf(call: Call): Waiting {
  return { lockTimeoutMs: lockTimeoutMs(call), mayWait: call.options["no-wait"] !== true };
}

/** A run that looks at no portal asks nobody where credentials may go. */
export function toolsOf(
  io: Io,
  { http, signIns, permits }: Network,
  command: string,
  files: readonly string[],
  { isLooking = true } = {},
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

export function filesOf(io: Io, call: Call): Promise<string[]> {
  return findFiles(call.operands, io.cwd);
}
