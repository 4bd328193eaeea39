// A call's words about a queue → the queue, open as long as the work takes, with the network of the same process.
import { wrongUsage } from "../../failure.js";
import { assertPermitted } from "../../http/host-allowlist.js";
import type { Io } from "../../io.js";
import { queueKeyIn } from "../../serve/bundle/key.js";
import { queueAt } from "../../serve/queue/address.js";
import { openSharedLimiter } from "../../serve/queue/limit.js";
import { openQueue, type Queue } from "../../serve/queue/queue.js";
import type { Option } from "../command.js";
import {
  openNetwork,
  type NetworkArguments,
  type NetworkOptions,
  type Network,
  type Purpose,
} from "../../cli/open-run.js";
import { CALL_TIMEOUT_S } from "../../http/http.js";

export const QUEUE = {
  queue: {
    value: "ADDRESS",
    variable: "LINTEL_QUEUE",
    description: "Job queue in PostgreSQL.",
  },
} as const satisfies Readonly<Record<string, Option>>;

export type QueueArguments = NetworkArguments & {
  readonly options: { readonly queue: string | undefined };
};

/** Undefined where nobody names one. */
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
  readonly makes: "tables" | "nothing" | "never";
  readonly purpose: Purpose;
  /** Told that the server is away, and that it is back. */
  readonly notice: (sentence: string, help?: string) => void;
  /** Told what came of each request. */
  readonly onResponse?: NetworkOptions["onResponse"];
}

export async function withQueue<T>(
  io: Io,
  call: QueueArguments,
  { address, purpose, onResponse, ...using }: Using,
  work: (queue: Queue, network: Network) => Promise<T>,
): Promise<T> {
  const { database } = queueAt(address, io);
  // Before anything is made there, or waited for.
  if (using.role !== "queue") queueKeyIn(io);
  // The network is asked for what only the queue can tell, once there is one.
  let queue: Queue | undefined;
  const opened = () => {
    if (!queue) throw new TypeError("the queue is opened before anything is asked of it");
    return queue;
  };
  const callTimeoutMs = 1000 * (call.options.timeout ?? CALL_TIMEOUT_S);
  const lasting = {
    isLasting: true,
    ...(onResponse && { onResponse }),
    limiter: {
      pace: (...words: Parameters<ReturnType<typeof openSharedLimiter>["pace"]>) =>
        openSharedLimiter({ io, link: opened().link, callTimeoutMs }).pace(...words),
    },
  };
  await using network = openNetwork(io, call, purpose, lasting);
  const { allowlist, ca } = network;
  const { server } = database;
  await assertPermitted(allowlist, [{ service: server, to: server }]);
  queue = await openQueue({ io, ca, assertAllowed: allowlist.assertAllowed, address, ...using });
  try {
    return await work(queue, network);
  } finally {
    await queue.close();
  }
}
