// lintel ci: what pipelines call on their platform, and the commands that set a platform up.
import { wrongUsage } from "../../failure.js";
import { didYouMean } from "../../diagnostic.js";
import type { Io } from "../../io.js";
import { oneLine } from "../../lib/text.js";
import { PLATFORMS } from "../../pipelines/pipeline.js";
import { ENVIRONMENT } from "../../pipelines/pipelined.js";
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { NETWORK } from "../options.js";
import { said, withPlatform } from "./with-platform.js";
import { comment } from "./comment.js";
import { driftIssue } from "./drift-issue.js";
import { gap } from "./gap.js";
import { setup } from "./setup.js";

const ACTIONS = ["setup", "comment", "drift-issue", "gap", "assert-approved"] as const;
type Action = (typeof ACTIONS)[number];

export const spec = {
  operands: "ACTION [FILE…]",
  options: {
    platform: { value: "NAME", values: PLATFORMS, description: "Platform of the pipeline." },
    environment: {
      value: "NAME",
      default: ENVIRONMENT,
      description: "Environment whose approval is required.",
    },
    unattended: { description: "Require no approval." },
    reviewer: { value: "NAME", isList: true, description: "Who approves, for setup." },
    "dry-run": { description: "Show requests instead of sending them." },
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel ci setup --platform github --reviewer ada", "print the commands that set it up"],
    ["lintel ci assert-approved --platform github", "stop without an approval"],
    ["lintel ci comment --platform gitlab --dry-run", "show comments, send nothing"],
    ["lintel ci drift-issue drift.json drift.md --platform azure", "keep one issue about drift"],
    ["lintel ci gap --platform gitlab", "show when the last clock run began"],
  ],
  offers: [ACTIONS, []],
} as const satisfies CommandSpec;

export type CiArguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...operands] = call.operands;
  const action = actionNamed(word);
  const { platform } = call.options;
  const extra = operands[MOST_FILES[action] ?? 0];
  if (extra !== undefined)
    throw wrongUsage(`Unexpected argument "${oneLine(extra)}".`, "Write:\n  lintel ci --help");
  if (platform === undefined) {
    throw wrongUsage(
      "The platform is missing.",
      `Add one of ${PLATFORMS.join(", ")}:\n  lintel ci ${action} --platform github`,
    );
  }
  return ACTION[action](io, { ...call, operands }, platform);
};

/** How many files an action takes at most, where it takes any. */
const MOST_FILES: Partial<Record<Action, number>> = {
  setup: Infinity,
  comment: 1,
  "drift-issue": 2,
};

type Act = (io: Io, call: CiArguments, platform: (typeof PLATFORMS)[number]) => Promise<Result>;

const ACTION: Readonly<Record<Action, Act>> = {
  setup,
  comment,
  "drift-issue": driftIssue,
  gap,
  async "assert-approved"(io, call, kind) {
    const { environment, unattended } = call.options;
    if (unattended) {
      return said("No approval is required here, because the pipeline says --unattended.");
    }
    return said(await withPlatform(io, call, kind, (each) => each.assertApproved(environment)));
  },
};

function actionNamed(word: string | undefined): Action {
  const actions: readonly string[] = ACTIONS;
  if (word !== undefined && actions.includes(word)) return word as Action;
  throw wrongUsage(
    word === undefined ? "The action is missing." : `Unknown action "${word}" for "lintel ci".`,
    didYouMean(word ?? "", actions) ?? `Actions: ${actions.join(", ")}.`,
  );
}
