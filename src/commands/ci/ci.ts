// lintel ci: what pipelines call on their platform, and the commands that set a platform up.
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { actionNamed } from "../../cli/action-named.js";
import { PLATFORMS, type PipelineKind } from "../../pipelines/pipeline.js";
import { ENVIRONMENT } from "../../pipelines/pipelined.js";
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { NETWORK } from "../options.js";
import { said, withPlatform } from "./with-platform.js";
import { changes } from "./changes.js";
import { clock } from "./clock.js";
import { comment } from "./comment.js";
import { driftIssue } from "./drift-issue.js";
import { setup } from "./setup.js";

const ONLINE = ["platform", ...Object.keys(NETWORK)];

const ACTIONS = {
  setup: {
    summary: "Print the commands to set up a platform.",
    operands: "[FILE…]",
    options: ["platform", "reviewer"],
    example: ["lintel ci setup --platform github --reviewer ada", "set up GitHub, ada approves"],
  },
  comment: {
    summary: "Write plans as pull request comments.",
    operands: "[FOLDER]",
    options: [...ONLINE, "dry-run"],
    example: ["lintel ci comment --platform gitlab --dry-run", "show comments, send nothing"],
  },
  "drift-issue": {
    summary: "Keep one issue about drift.",
    operands: "FOLDER",
    options: [...ONLINE, "dry-run"],
    example: ["lintel ci drift-issue ./drift --platform azure", "open or close a drift issue"],
  },
  "assert-approved": {
    summary: "Require another person's approval of this run.",
    operands: "",
    options: [...ONLINE, "environment", "unattended"],
    example: ["lintel ci assert-approved --platform github", "fail without an approval"],
  },
  changes: {
    summary: "Set an output if a plan has changes.",
    operands: "PLAN",
    options: ["platform"],
    example: ["lintel ci changes plan.json --platform github", "say if the plan has changes"],
  },
  clock: {
    summary: "Apply due changes, then write drift reports.",
    operands: "[FILE…]",
    options: [],
    example: ["lintel ci clock portals", "apply and check on a schedule"],
  },
} as const satisfies CommandSpec["actions"];

type Action = keyof typeof ACTIONS;
const NAMES = Object.keys(ACTIONS) as Action[];

export const spec = {
  operands: "ACTION [FILE…]",
  options: {
    platform: { value: "NAME", values: PLATFORMS, description: "Platform of the pipeline." },
    environment: {
      value: "NAME",
      default: ENVIRONMENT,
      description: "Environment whose approval is required.",
    },
    unattended: { description: "Accept runs without an approval." },
    reviewer: { value: "NAME", isList: true, description: "User who approves, for ci setup." },
    "dry-run": { description: "Show the API requests, send none." },
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: Object.values(ACTIONS).map(({ example }) => example),
  offers: [NAMES, []],
  actions: ACTIONS,
} as const satisfies CommandSpec;

export type CiArguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...operands] = call.operands;
  const action = actionNamed("ci", word, NAMES);
  if (action === "clock") return clock(io, operands);
  const { platform } = call.options;
  if (platform === undefined) {
    throw wrongUsage(
      "The platform is missing.",
      `Add one of ${PLATFORMS.join(", ")}:\n  lintel ci ${action} --platform github`,
    );
  }
  return RUN[action](io, { ...call, operands }, platform);
};

type Act = (io: Io, call: CiArguments, platform: PipelineKind) => Result | Promise<Result>;

const RUN: Readonly<Record<Exclude<Action, "clock">, Act>> = {
  setup,
  comment,
  "drift-issue": driftIssue,
  changes,
  async "assert-approved"(io, call, kind) {
    const { environment, unattended } = call.options;
    if (unattended) {
      return said("No approval is required here, because the pipeline says --unattended.");
    }
    return said(await withPlatform(io, call, kind, (each) => each.assertApproved(environment)));
  },
};
