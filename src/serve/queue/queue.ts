// The address of a queue → what a process has of it: one connection for all that is asked, one for all its locks, and the jobs.
import { notUsable, queueAt, type QueueAddress } from "./address.js";
import { openBoss, type Boss } from "./boss.js";
import { openLink, type Link } from "./link.js";
import { awaitQueueTables, makeQueueTables } from "./tables.js";
import { helpHere } from "../news/news.js";
import type { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { shellWord } from "../../lib/text.js";
import type { Connecting } from "../../state/postgres-connection.js";
import { openSessions, type Sessions } from "./session.js";

/** Of portals for which no other is named. */
export const DEFAULT_POOL = "default";

export interface Queue {
  readonly at: QueueAddress;
  readonly link: Link;
  readonly boss: Boss;
  /** The schema of its jobs. */
  readonly jobs: string;
  /** On which this process has its locks. */
  readonly sessions: Sessions;
  /** How often the server was lost until now. */
  readonly losses: () => number;
  close(): Promise<void>;
}

interface Opening extends Connecting {
  readonly io: Io;
  readonly address: string;
  /** What it is called by those who look at the database. */
  readonly role: "serve" | "worker" | "queue";
  /** Makes the tables; otherwise they are waited for, or, with "never", have to be there. */
  readonly makes: "tables" | "nothing" | "never";
  readonly notice: (sentence: string, help?: string) => void;
}

export async function openQueue(opening: Opening): Promise<Queue> {
  const { io, role, makes, notice } = opening;
  const at = queueAt(opening.address, io);
  let losses = 0;
  const link = await openLink(at, {
    ...opening,
    program: `lintel ${role}@${io.machine.host}`.replace(/[^ -~]/g, "?").slice(0, 63),
    lost: (why: Failure) => {
      losses++;
      notice(`${why.message} Waiting until it can.`, helpHere(why));
    },
    back: () => notice(`The queue at "${at.told.shown}" can be used again.`),
  });
  const sessions = openSessions(at, opening);
  try {
    if (makes === "tables") await makeQueueTables(link, at);
    else {
      await awaitQueueTables(link, at, io, () => {
        if (makes === "never") throw notMade(at);
        notice(
          `Waiting for the tables of the queue, which the first "lintel serve --queue" makes.`,
        );
      });
    }
    const [row] = await link.ask<{ keep: string }>("SELECT keep_ms AS keep FROM queue");
    const boss = await openBoss(link, at, Number(row?.keep));
    return {
      at,
      link,
      boss,
      jobs: at.jobs,
      sessions,
      losses: () => losses,
      async close() {
        await boss.stop();
        await sessions.close();
        await link.close();
      },
    };
  } catch (error) {
    await link.close();
    throw error;
  }
}

function notMade({ told }: QueueAddress): Failure {
  const help = `The first serve makes it:\n  lintel serve portals --queue ${shellWord(told.shown)}`;
  return notUsable(told, "nobody has made it yet", help);
}
