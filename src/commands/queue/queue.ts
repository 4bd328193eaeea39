// lintel queue: how the queue of many machines stands; portals tried again now; and all of it drained, as before an upgrade.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { QUEUE, requiredQueue, withQueue } from "./using.js";
import { NETWORK } from "../options.js";
import { standingJson, standingText } from "./text.js";
import { didYouMean } from "../../diagnostic.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Queue } from "../../serve/queue/queue.js";
import * as standing from "../../serve/queue/standing.js";
import { counted, shellWord } from "../../lib/text.js";
import type { Added } from "../documents.js";

const ACTIONS = ["status", "retry", "drain", "resume"] as const;
type Action = (typeof ACTIONS)[number];

export const spec = {
  operands: "ACTION [PORTAL…]",
  options: {
    ...QUEUE,
    ...NETWORK,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel queue status", "show pools, workers and late jobs"],
    ["lintel queue retry", "retry failed portals now"],
    ["lintel queue retry north south", "check these now"],
    ["lintel queue drain", "start no job, wait for running ones"],
    ["lintel queue resume", "resume work"],
  ],
  offers: [ACTIONS, []],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...names] = call.operands;
  const action = actionNamed(word);
  if (names.length > 0 && action !== "retry") {
    throw wrongUsage(`"lintel queue ${action}" takes no portals.`, "See:\n  lintel queue --help");
  }
  const using = {
    address: requiredQueue(call, io, `lintel queue ${action}`),
    role: "queue",
    makes: "never",
    purpose: "anonymous",
    notice: (sentence: string) => io.stderr.write(`${sentence}\n`),
  } as const;
  return withQueue(io, call, using, (queue) => ACTION[action](queue, { io, call, names }));
};

interface Asked {
  readonly io: Io;
  readonly call: Arguments;
  readonly names: readonly string[];
}

const ACTION: Readonly<Record<Action, (queue: Queue, asked: Asked) => Promise<Result>>> = {
  async status({ link }, { io }) {
    const found = await standing.readStanding(link);
    const nowMs = io.now();
    return resultOf(standingJson(found), (paint) => standingText(found, paint, nowMs));
  },
  async retry({ link }, { names }) {
    const keys = names.length > 0 ? await keysOf(link, names) : undefined;
    const due = await standing.retry(link, keys);
    const none = keys
      ? "what was named is in the queue already, or under way, or its file is wrong"
      : "no portal failed or was put off, but those that are in the queue already, or under way, or whose file is wrong";
    const text =
      due > 0
        ? `${counted(due, "portal")} will be looked at now.\n`
        : `Nothing is to be tried again: ${none}.\n`;
    return resultOf({ retried: due }, () => text);
  },
  async drain({ link }, { io, call }) {
    const { queue } = call.options;
    await standing.drain(link, true);
    const again = queue === undefined ? "" : ` --queue ${shellWord(queue)}`;
    for (let before = 0; ;) {
      const left = await standing.underWay(link);
      if (left === 0) break;
      if (left !== before) {
        io.stderr.write(`Nothing new is begun. Waiting for ${counted(left, "portal")}.\n`);
      }
      before = left;
      await io.sleep(LOOK_EVERY_MS, io.signal);
    }
    const text = `No job is running, and no new job starts. To resume:\n  lintel queue resume${again}\n`;
    return resultOf({ draining: true }, () => text);
  },
  async resume({ link }) {
    await standing.drain(link, false);
    return resultOf({ draining: false }, () => "Workers start jobs again.\n");
  },
};

const LOOK_EVERY_MS = 500;

async function keysOf(link: Queue["link"], names: readonly string[]): Promise<readonly string[]> {
  const known = await standing.portalsByName(link);
  return names.flatMap((name) => {
    const keys = known.get(name);
    if (keys) return keys;
    const help = didYouMean(name, [...known.keys()]) ?? "See:\n  lintel queue status";
    throw wrongUsage(`The queue has no portal "${name}".`, help);
  });
}

function resultOf(more: Added<"queue">, text: Result["text"]): Result {
  return {
    outcome: { command: "queue", exit: EXIT.done, diagnostics: [], more: { ...more } },
    text,
  };
}

function actionNamed(word: string | undefined): Action {
  const actions: readonly string[] = ACTIONS;
  if (word !== undefined && actions.includes(word)) return word as Action;
  throw wrongUsage(
    word === undefined ? "The action is missing." : `Unknown action "${word}" for "lintel queue".`,
    didYouMean(word ?? "", actions) ?? `Actions: ${actions.join(", ")}.`,
  );
}
