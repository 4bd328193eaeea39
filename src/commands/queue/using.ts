// Opens the queue that a command names, with the network of the process, for as long as the work takes.
import { Failure, wrongUsage } from "../../failure.js";
import { assertPermitted } from "../../http/host-allowlist.js";
import type { Io } from "../../io.js";
import { queueAt } from "../../serve/queue/address.js";
import { openSharedLimiter } from "../../serve/queue/limit.js";
import { openQueueDatabase, type QueueDatabase } from "../../serve/queue/database.js";
import { openJobs, type Jobs } from "../../serve/queue/jobs.js";
import { awaitTables, makeTables } from "../../serve/queue/tables.js";
import { helpHere } from "../../serve/events/portal-events.js";
import type { Option } from "../command.js";
import {
  openNetwork,
  type NetworkArguments,
  type NetworkOptions,
  type Network,
  type Purpose,
} from "../../cli/open-run.js";
import { CALL_TIMEOUT_S } from "../../http/http.js";
import { DEFAULT_STATE, stateKindOf } from "../../state-address/kinds.js";
import type { Stores } from "../../state/open.js";

export const QUEUE = {
  queue: {
    value: "URL",
    variable: "LINTEL_QUEUE",
    description: "Job queue in PostgreSQL.",
  },
} as const satisfies Readonly<Record<string, Option>>;

export type QueueArguments = NetworkArguments & {
  readonly options: { readonly queue: string | undefined };
};

/** Undefined where none is named. */
export function queueAddressOf({ options }: QueueArguments, { env }: Io): string | undefined {
  return options.queue ?? (env["LINTEL_QUEUE"]?.trim() || undefined);
}

export function requiredQueue(call: QueueArguments, io: Io, command: string): string {
  const address = queueAddressOf(call, io);
  if (address !== undefined) return address;
  throw wrongUsage(
    "No queue is named.",
    `Name its database, or set LINTEL_QUEUE:\n  ${command} --queue postgres://lintel@db.example.com/lintel`,
  );
}

interface Using {
  readonly address: string;
  readonly role: "serve" | "worker" | "queue";
  readonly purpose: Purpose;
  /** Reports that the server is away, and that it is back. */
  readonly notice: (sentence: string, help?: string) => void;
  readonly onResponse?: NetworkOptions["onResponse"];
}

export interface OpenQueue {
  readonly database: QueueDatabase;
  readonly network: Network;
  /** The longest time that a call of this process takes. */
  readonly callTimeoutMs: number;
}

export async function withQueue<T>(
  io: Io,
  call: QueueArguments,
  { address, purpose, onResponse, role, notice }: Using,
  work: (queue: OpenQueue) => Promise<T>,
): Promise<T> {
  const at = queueAt(address, io);
  // The network needs the limits that the queue counts, and the queue the hosts that the network allows.
  let database: QueueDatabase | undefined;
  const opened = () => {
    if (!database) throw new TypeError("the queue is opened before anything is asked of it");
    return database;
  };
  const callTimeoutMs = 1000 * (call.options.timeout ?? CALL_TIMEOUT_S);
  const lasting = {
    isLasting: true,
    ...(onResponse && { onResponse }),
    limiter: {
      pace: (...words: Parameters<ReturnType<typeof openSharedLimiter>["pace"]>) =>
        openSharedLimiter({ io, database: opened(), callTimeoutMs }).pace(...words),
    },
  };
  await using network = openNetwork(io, call, purpose, lasting);
  const { allowlist, ca } = network;
  const { server } = at.database;
  await assertPermitted(allowlist, [{ service: server, to: server }]);
  database = await openQueueDatabase(at, {
    io,
    ca,
    assertAllowed: allowlist.assertAllowed,
    program: `lintel ${role}@${io.machine.host}`.replace(/[^ -~]/g, "?").slice(0, 63),
  });
  database.onOutage((why) =>
    why
      ? notice(`${why.message} Waiting until it can.`, helpHere(why))
      : notice(`The queue at "${at.labels.shown}" can be used again.`),
  );
  try {
    return await work({ database, network, callTimeoutMs });
  } finally {
    await database.close();
  }
}

/** A check takes a few calls at most, each of which may hang until its timeout. */
const CALLS_OF_A_CHECK = 4;
const EXPIRES_AT_LEAST_S = 60;

/** Opens the jobs: `serve` makes the tables, a worker waits for them. */
export async function withJobs<T>(
  io: Io,
  { database, callTimeoutMs }: OpenQueue,
  { role, notice }: Pick<Using, "notice"> & { readonly role: "serve" | "worker" },
  work: (jobs: Jobs) => Promise<T>,
): Promise<T> {
  const isServe = role === "serve";
  if (!isServe)
    await awaitTables(database, io, () =>
      notice("Waiting for the tables of the queue, which the first `lintel serve --queue` makes."),
    );
  const jobs = await openJobs({
    io,
    database,
    mayMake: isServe,
    expireInSeconds: EXPIRES_AT_LEAST_S + Math.ceil((CALLS_OF_A_CHECK * callTimeoutMs) / 1000),
    onError: notice,
  });
  try {
    // After those of pg-boss: a worker that finds these finds the others too.
    if (isServe) await makeTables(database);
    return await work(jobs);
  } finally {
    await jobs.close();
  }
}

/** Ends well where it is interrupted while the database is away: others find what is left when it is back. */
export async function untilInterrupted(
  { signal }: Pick<Io, "signal">,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Refuses states in a folder of one machine. `queue` is an address where states may be as well. */
export function reachableStores(stores: Stores, queue: string): Stores {
  return {
    ...stores,
    open(options) {
      const { address, written } = options;
      if (stateKindOf(address) !== "file") return stores.open(options);
      const isDefault = address === DEFAULT_STATE ? " (the default)" : "";
      throw new Failure(
        "bad-state-address",
        `"${written ?? address}"${isDefault} keeps the state in a folder of one machine, where the next worker does not find it.`,
        `Keep it where all workers reach it, such as in the queue's database or on a branch. To move it:\n  lintel state move FILE ${queue}`,
      );
    },
  };
}
