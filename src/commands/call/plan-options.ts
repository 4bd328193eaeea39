// A call's options → what a plan is to be like, and how long to wait for others.
import { GUARDS } from "../../guard.js";
import type { Path } from "../../settings.js";
import type { PlanOptions } from "../../apply/plan-portal.js";
import type { Waiting } from "../../apply/wait.js";
import type { ParsedArguments, Values } from "../command.js";
import { DUES } from "../../plan/inputs.js";
import { PLANNING, type BY_CLOCK, type WAITING } from "../options.js";

/** Of the options that a plan is made with, those that the command has. */
type PlanningOptions = Partial<
  Values<typeof PLANNING> &
    Values<typeof BY_CLOCK> & { readonly "no-state": boolean; readonly offline: boolean }
>;

export function planOptionsOf(options: PlanningOptions, paths?: readonly Path[]): PlanOptions {
  const { allow = [], due = [], send = PLANNING.send.default } = options;
  return {
    allow: GUARDS.filter((name) => allow.includes(name)),
    send,
    ...(paths && { paths }),
    ...(due.length > 0 && { due: DUES.filter((name) => due.includes(name)) }),
    compareWith: options["no-state"] ? "live" : options.offline ? "last" : "live-and-last",
  };
}

export function waitingOf({ options }: ParsedArguments<typeof WAITING>): Waiting {
  return { waitMs: 1000 * options.wait };
}
