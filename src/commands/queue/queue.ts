// lintel queue: shows the queue of many machines, retries portals, and drains it, such as before an upgrade.
import type { CommandSpec, ParsedArguments, Result, Run } from "../command.js";
import { QUEUE, requiredQueue, withQueue } from "./using.js";
import { NETWORK } from "../options.js";
import { statusText } from "./text.js";
import { actionNamed } from "../../cli/action-named.js";
import { didYouMean } from "../../diagnostic.js";
import { EXIT, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { QueueDatabase } from "../../serve/queue/database.js";
import { notUsable } from "../../serve/queue/address.js";
import { areTablesMade } from "../../serve/queue/tables.js";
import { retryPortals } from "../../serve/queue/portals.js";
import * as queueStatus from "../../serve/queue/status.js";
import { compareNames, counted, oneLine, shellWord, someOf } from "../../lib/text.js";
import type { Added } from "../documents.js";

const ACTIONS = ["status", "retry", "drain", "resume", "relist"] as const;
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
    ["lintel queue retry", "retry all failed portals now"],
    ["lintel queue retry north south", "retry two portals now"],
    ["lintel queue drain", "finish running jobs, start no others"],
    ["lintel queue resume", "start jobs again"],
    ["lintel queue relist", "after a force push: read the portal files again"],
  ],
  offers: [ACTIONS, []],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (io, call) => {
  const [word, ...names] = call.operands;
  const action = actionNamed("queue", word, ACTIONS);
  if (names.length > 0 && action !== "retry") {
    throw wrongUsage(`"lintel queue ${action}" takes no portals.`, "See:\n  lintel queue --help");
  }
  const using = {
    address: requiredQueue(call, io, `lintel queue ${action}`),
    role: "queue",
    purpose: "anonymous",
    notice: (sentence: string) => io.stderr.write(`${sentence}\n`),
  } as const;
  return withQueue(io, call, using, async ({ database }) => {
    await assertMade(database);
    return ACTION[action](database, { io, call, names });
  });
};

interface Asked {
  readonly io: Io;
  readonly call: Arguments;
  readonly names: readonly string[];
}

const ACTION: Readonly<Record<Action, (database: QueueDatabase, asked: Asked) => Promise<Result>>> =
  {
    async status(database) {
      const found = await queueStatus.readStatus(database);
      return resultOf(found, (styles) => statusText(found, styles));
    },
    async retry({ query }, { names }) {
      const keys = names.length > 0 ? await keysOf(query, names) : undefined;
      const due = await retryPortals(query, keys);
      const none = keys
        ? "the files named are invalid"
        : "no portal is invalid or unreachable, and no check keeps failing";
      const checked = `${counted(due, "portal")} will be checked`;
      const text = (await queueStatus.isDraining(query))
        ? `${checked} once the queue is resumed:\n  lintel queue resume\n`
        : `${checked} within a minute.\n`;
      return resultOf({ retried: due }, () => (due > 0 ? text : `Nothing to retry: ${none}.\n`));
    },
    async drain(database, { io, call }) {
      const { queue } = call.options;
      await queueStatus.setDraining(database.query, true);
      const again = queue === undefined ? "" : ` --queue ${shellWord(queue)}`;
      for (let before = 0; ;) {
        const left = await queueStatus.underWay(database);
        if (left === 0) break;
        if (left !== before)
          io.stderr.write(`No new job starts. Waiting for ${counted(left, "portal")}.\n`);
        before = left;
        await io.sleep(CHECK_EVERY_MS, io.signal);
      }
      const text = `No job is running, and no new job starts. To resume:\n  lintel queue resume${again}\n`;
      return resultOf({ draining: true }, () => text);
    },
    async resume({ query }) {
      await queueStatus.setDraining(query, false);
      return resultOf({ draining: false }, () => "Workers start jobs again.\n");
    },
    async relist({ query }) {
      const forgotten = await queueStatus.forgetCommit(query);
      const what =
        forgotten === null ? "No commit was listed." : `Forgot ${forgotten.slice(0, 10)}.`;
      const text = `${what} A running "lintel serve" lists the commit of its checkout within seconds.\n`;
      return resultOf({}, () => text);
    },
  };

const CHECK_EVERY_MS = 500;
const MOST_NAMES = 20;

async function assertMade(database: QueueDatabase): Promise<void> {
  if (await areTablesMade(database)) return;
  const { at } = database;
  const help = `The first serve makes them:\n  lintel serve portals --queue ${shellWord(at.labels.shown)}`;
  throw notUsable(at.labels, "it has no tables yet", help);
}

async function keysOf(
  query: QueueDatabase["query"],
  names: readonly string[],
): Promise<readonly string[]> {
  const known = await queueStatus.keysByName(query);
  return names.flatMap((name) => {
    const keys = known.get(name);
    if (keys) return keys;
    const all = [...known.keys()].toSorted(compareNames);
    const help =
      didYouMean(name, all) ?? `It has ${someOf(all.map(oneLine), "portal", MOST_NAMES)}.`;
    throw wrongUsage(`The queue has no portal "${name}".`, help);
  });
}

function resultOf(more: Added<"queue">, text: Result["text"]): Result {
  return {
    outcome: { command: "queue", exit: EXIT.done, diagnostics: [], more: { ...more } },
    text,
  };
}
